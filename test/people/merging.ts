import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import { isTransient } from '../../src/database/connections/transient-errors.js';
import { withRetries } from '../../src/database/connections/with-retries.js';
import { MessagingNetwork } from '../../src/network/network.js';
import { mergeContacts } from '../../src/people/contact-merge.queries.js';
import { isIdentityRace } from '../../src/people/learning.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, type World } from '../support/world.js';

export const CONTACTS = '/api/v1/contacts/';

/** Attempts of a merge that competes with others. */
const MAX_TRIES = 20;

/** Merges two contacts, as the service does when the network names them together. */
export const merge = (world: World, { accountId }: TestAccount, one: string, other: string): Promise<string> =>
  withRetries(
    () => world.unitOfWork.writes(accountId).transaction((tx) => mergeContacts(accountId, one, other, tx)),
    // The network repeats what met a lock for too long, or waited for its turn.
    (error) => isIdentityRace(error) || isTransient(error),
    MAX_TRIES,
  );

/** Creates a contact with a new number, unless another is given. */
export async function createContact(
  { api }: TestAccount,
  fields: Record<string, unknown> = {},
): Promise<ContactRecord & { readonly phone_number: string }> {
  const body = { phone_number: uniquePhone(), first_name: 'Grace', ...fields };
  const { body: created, text } = await api.post<{ contact: ContactRecord }>(CONTACTS, body);
  if (created.contact === undefined) throw new Error(text);
  return created.contact as ContactRecord & { readonly phone_number: string };
}

/** The rows of a query whose `$1` is the account. */
export const rowsOf = <Row extends object = Record<string, unknown>>(
  world: World,
  { accountId }: TestAccount,
  sql: string,
  ...more: unknown[]
): Promise<Row[]> => world.unitOfWork.autocommit.rows<Row>(sql, [accountId, ...more]);

/** Waits until the sweep has done all that is due now and soon, but not what it looks for after five minutes. */
export const untilMoved = (world: World, account: TestAccount, timeoutMs?: number): Promise<true> =>
  until(
    'nothing is left to merge or move',
    async () =>
      (await rowsOf(world, account, "SELECT FROM identity_tasks WHERE account_id = $1 AND kind <> 'stragglers'"))
        .length === 0,
    timeoutMs,
  ) as Promise<true>;

/** Lets the sweep look for stragglers now. */
export async function lookForStragglers(world: World, account: TestAccount): Promise<void> {
  await until('no task is left', async () => {
    await rowsOf(world, account, 'UPDATE identity_tasks SET due_at = now() WHERE account_id = $1 AND due_at > now()');
    return (await rowsOf(world, account, 'SELECT FROM identity_tasks WHERE account_id = $1')).length === 0;
  });
}

/** Messages that the network has read, and whose answers are on their way until `release`. */
export interface HeldAnswers {
  readonly held: number;
  readonly release: () => void;
}

/** Holds the network's answers to messages. */
export function holdAnswers(world: World): HeldAnswers {
  const network: MessagingNetwork = world.parley.app.get(MessagingNetwork);
  const send = network.send.bind(network);
  let held = 0;
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sends = jest.spyOn(network, 'send').mockImplementation(async (...message) => {
    const answer = send(...message);
    await Promise.allSettled([answer]);
    held += 1;
    await isReleased;
    return answer;
  });
  return {
    get held() {
      return held;
    },
    release: () => {
      sends.mockRestore();
      release();
    },
  };
}

/** A number of Mexico that people also write with a 1 behind the country code, of somebody who receives everything. */
export const mexicanPhone = (): string => `525${uniquePhone().slice(-9)}`;
