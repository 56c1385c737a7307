import type { AgentRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { accountId } from '../../../data/account.js';
import { ONCE, parley } from '../../../data/api.js';
import { hasStatus } from '../../../data/failure.js';
import { useQuery } from '../../../data/query.js';
import { session } from '../../../data/session.js';
import type { ThreadKey } from '../thread-key.js';

/** As many as the API gives at once. */
const MAX_LISTED = 100;
/** More colleagues than anybody looks through. */
const MAX_AGENTS = 1000;

export type Agent = Pick<AgentRecord, 'user_id' | 'full_name'>;

/** Those who can have conversations, by name, the person who has signed in first. */
export const useAgents = () => useQuery<readonly Agent[]>(['agents', accountId.value ?? ''], readAgents);

/** Whether there is anybody who could have a conversation. Until that is known, there is. */
export const useHasAgents = (): boolean =>
  useQuery(['has-agents', accountId.value ?? ''], readHasAgents, { isFixed: true }).value.data ?? true;

async function readHasAgents(signal: AbortSignal): Promise<boolean> {
  try {
    await parley.agents.list({ limit: 1 }, { signal });
    return true;
  } catch (error) {
    // An account without an organisation has no agents, and everything in it is its owner’s.
    if (hasStatus(error, 400)) return false;
    throw error;
  }
}

async function readAgents(signal: AbortSignal): Promise<readonly Agent[]> {
  const agents: Agent[] = [];
  for await (const { user_id, full_name } of parley.agents.list({ limit: MAX_LISTED }, { signal })) {
    agents.push({ user_id, full_name });
    if (agents.length >= MAX_AGENTS) break;
  }
  const me = session.peek()?.user.user_id;
  const isMe = (agent: Agent): number => (agent.user_id === me ? 0 : 1);
  return agents.sort((one, other) => isMe(one) - isMe(other) || one.full_name.localeCompare(other.full_name));
}

/** To whom a conversation goes. */
export interface Assignment {
  readonly agent: Agent;
  readonly note: string | null;
  /** Whether somebody who has it meanwhile keeps it. */
  readonly onlyIfUnassigned: boolean;
}

export const assign = (
  { contact, phone }: ThreadKey,
  { agent, note, onlyIfUnassigned }: Assignment,
): Promise<unknown> =>
  parley.conversations.assign(
    contact,
    { waba_phone_id: phone, user_id: agent.user_id, note, only_if_unassigned: onlyIfUnassigned },
    ONCE,
  );

export const release = ({ contact, phone }: ThreadKey): Promise<unknown> =>
  parley.conversations.unassign(contact, { waba_phone_id: phone }, ONCE);

export const resolve = ({ contact, phone }: ThreadKey): Promise<unknown> =>
  parley.conversations.resolve(contact, { waba_phone_id: phone }, ONCE);

export const reopen = ({ contact, phone }: ThreadKey): Promise<unknown> =>
  parley.conversations.reopen(contact, { waba_phone_id: phone }, ONCE);

/** Opens a conversation that was just resolved, and gives it back to whoever had it. */
export async function unresolve(key: ThreadKey, holder: string | null): Promise<void> {
  await reopen(key);
  const me = session.peek()?.user.user_id;
  if (holder === null) await release(key);
  else if (holder !== me) {
    await assign(key, { agent: { user_id: holder, full_name: '' }, note: null, onlyIfUnassigned: false });
  }
}

/** Tells the network that the person’s messages were read. */
export const markRead = ({ contact, phone }: ThreadKey): Promise<unknown> =>
  parley.conversations.markRead(contact, { waba_phone_id: phone }, ONCE);
