import { type Database, TransactionTx, type Tx } from '../database/unit-of-work.js';
import type { CampaignListener } from './campaign-listener.js';
import type { ConversationListener } from './conversation-listener.js';
import { hooksOf } from './hooks.js';
import type { InboundListener } from './inbound-listener.js';

type Listener = InboundListener | ConversationListener | CampaignListener;

/** Whether anybody listens. A change that is a single statement otherwise needs a transaction then. */
export const isHeard = (kind: abstract new () => Listener, db: Database): boolean =>
  (hooksOf(db)?.of(kind) ?? []).length > 0;

type Call<Facts> = (accountId: string, facts: Facts, tx: Tx) => Promise<void>;
type FactsOf<Method> = NonNullable<Method> extends Call<infer Facts> ? Facts : never;

/**
 * Tells listeners about a change when all else in its transaction is done, immediately before the commit. Changes that a
 * hook makes are not told.
 */
export function notify<Heard extends Listener, Method extends keyof Heard & string>(
  kind: abstract new () => Heard,
  method: Method,
  accountId: string,
  facts: FactsOf<Heard[Method]>,
  db: Database,
): void {
  if (!(db instanceof TransactionTx)) return;
  const hooks = hooksOf(db);
  for (const hook of hooks?.of(kind) ?? []) {
    const call = hook[method] as Call<FactsOf<Heard[Method]>> | undefined;
    if (call === undefined) continue;
    db.atEnd(async () => {
      await hooks?.run({ accountId, hook, method }, (hookTx) => call.call(hook, accountId, facts, hookTx), db);
    });
  }
}
