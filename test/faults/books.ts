import type { LedgerEntry } from '../support/simulator-control.js';
import type { FaultAccount, FaultCampaign, FaultStack } from './fault-stack.js';
import { say } from './figures.js';
import type { SendOutcome, Traffic } from './traffic.js';

/** How long the last outcomes and reports may take to arrive, milliseconds. */
const SETTLE_MS = 180_000;
const POLL_MS = 250;
/** Codes of messages that were never sent: the network was unreachable, or refused every attempt as temporary. */
const UNSENT_CODES = [900003, 900004];
/** The code of messages whose process died before it knew their outcome, sent or not. */
const LOST_CODE = 900002;
const EXAMPLES = 3;

/** What an account did, to compare with its rows and the network's ledger. */
export interface Activity {
  readonly account: FaultAccount;
  readonly sends?: readonly SendOutcome[];
  readonly campaigns?: readonly FaultCampaign[];
  /** Network ids of messages from contacts. */
  readonly written?: readonly string[];
  /** Whether processes were killed, so that messages may have failed without being sent, their outcome being unknown. */
  readonly killed?: boolean;
}

export const activityOf = (traffic: Traffic, campaigns: readonly FaultCampaign[] = []): Activity => ({
  account: traffic.account,
  sends: traffic.sends,
  campaigns,
  written: traffic.written,
});

interface MessageRow {
  readonly id: string;
  readonly phone: string;
  readonly campaign: string | null;
  readonly status: string;
  readonly code: number | null;
}

/**
 * Compares all records of what was sent: the network's ledger, the answers to callers, messages, recipients,
 * counters, credits and events. Each finding is a sentence; no findings mean that nothing was lost or duplicated.
 */
export class Books {
  constructor(private readonly stack: FaultStack) {}

  /** Waits for the last outcomes and reports, then compares. */
  async findings(...activities: Activity[]): Promise<string[]> {
    const found: string[] = [];
    for (const each of activities) found.push(...(await this.findingsOf(each)));
    return found;
  }

  private async findingsOf({
    account,
    sends = [],
    campaigns = [],
    written = [],
    killed = false,
  }: Activity): Promise<string[]> {
    const unsettled = await this.settle(account, campaigns);
    const ledger = await this.stack.simulator.ledger(account.phone.phoneNumberId);
    const messages = await this.messages(account);
    say(
      `  books: ${ledger.length} at the network, ${messages.length} messages; ${count(messages.map(({ status, code }) => `${status}${code === null ? '' : ` ${code}`}`))}`,
    );
    return [
      ...unsettled,
      ...ledgerFindings(ledger, messages, killed ? [...UNSENT_CODES, LOST_CODE] : UNSENT_CODES),
      ...sendFindings(sends, ledger, messages),
      ...(await Promise.all(campaigns.map((campaign) => this.campaignFindings(campaign, ledger)))).flat(),
      ...(await this.counterFindings(account)),
      ...(await this.eventFindings(account)),
      ...(await this.inboundFindings(account, written)),
    ];
  }

  /** @returns what is still open after {@link SETTLE_MS} */
  private async settle(account: FaultAccount, campaigns: readonly FaultCampaign[]): Promise<string[]> {
    const giveUpAt = Date.now() + SETTLE_MS;
    for (;;) {
      const [open] = await this.stack.query<{ unknown: string; unread: string; flights: string; running: string }>(
        `SELECT count(*) FILTER (WHERE seen = 0) AS unknown,
                count(*) FILTER (WHERE status IN ('accepted', 'sent', 'delivered')) AS unread,
                (SELECT count(*) FROM sends_in_flight WHERE account_id = $1) AS flights,
                (SELECT count(*) FROM campaigns WHERE account_id = $1 AND id = ANY ($2) AND status <> 'completed') AS running
         FROM messages WHERE account_id = $1 AND direction = 'out'`,
        [account.accountId, campaigns.map(({ id }) => id)],
      );
      const left = Object.entries(open ?? {}).filter(([, number]) => number !== '0');
      if (left.length === 0) return [];
      if (Date.now() > giveUpAt) {
        return [`still not settled after ${SETTLE_MS / 1000} s: ${left.map(([what, n]) => `${n} ${what}`).join(', ')}`];
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  private messages({ accountId }: FaultAccount): Promise<MessageRow[]> {
    return this.stack.query<MessageRow>(
      `SELECT m.id, c.phone_number AS phone, m.campaign_id AS campaign, m.status, m.error_code AS code
       FROM messages m JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
       WHERE m.account_id = $1 AND m.direction = 'out'`,
      [accountId],
    );
  }

  private async campaignFindings({ id, account, phones }: FaultCampaign, ledger: LedgerEntry[]): Promise<string[]> {
    const rows = await this.stack.query<{ phone: string; id: string | null; state: string; status: string | null }>(
      `SELECT c.phone_number AS phone, r.message_id AS id, r.state, m.status
       FROM campaign_recipients r JOIN contacts c ON c.account_id = r.account_id AND c.id = r.contact_id
       LEFT JOIN messages m ON m.account_id = r.account_id AND m.id = r.message_id
       WHERE r.account_id = $1 AND r.campaign_id = $2`,
      [account.accountId, id],
    );
    const ours = new Set(
      (
        await this.stack.query<{ id: string }>('SELECT id FROM messages WHERE account_id = $1 AND campaign_id = $2', [
          account.accountId,
          id,
        ])
      ).map((message) => message.id),
    );
    const reached = ledger.filter(({ biz_opaque_callback_data }) => ours.has(biz_opaque_callback_data));
    const read = rows.filter(({ status }) => status === 'read').length;
    const { body: stats } = await account.api.get(`/api/v1/campaigns/${id}/stats`);
    const counted = [stats['sent_count'], stats['delivered_count'], stats['read_count'], stats['failed_count']];
    const expected = [read, read, read, rows.filter(({ status }) => status === 'failed').length];
    const [credits] = await this.stack.query<{ spent: string }>(
      'SELECT coalesce(-sum(amount), 0) AS spent FROM wallet_entries WHERE account_id = $1 AND campaign_id = $2',
      [account.accountId, id],
    );
    const twice = repeated(reached.map(({ to }) => to));
    const missed = phones.filter((phone) => !reached.some(({ to }) => to === phone));
    return [
      ...(rows.length === phones.length ? [] : [`the campaign has ${rows.length} of ${phones.length} recipients`]),
      ...list('recipients were sent to twice', twice),
      ...list(
        `recipients were never sent to (they are ${count(rows.filter(({ phone }) => missed.includes(phone)).map(({ state, status }) => `${state}/${status}`))})`,
        missed,
      ),
      ...(`${counted}` === `${expected}` ? [] : [`the statistics say ${counted} and the rows ${expected}`]),
      ...(Number(credits?.spent) === reached.length
        ? []
        : [`${credits?.spent} credits were spent on ${reached.length} messages`]),
    ];
  }

  /** Compares every counter with a fresh count. */
  async counterFindings({ accountId }: FaultAccount): Promise<string[]> {
    const rows = await this.stack.query<{ counter: string; counted: string; found: string }>(
      `WITH counted AS (
         SELECT CASE WHEN counter LIKE 'conversations.%' THEN 'conversations' ELSE counter END AS counter, sum(amount) AS amount
         FROM counter_amounts WHERE account_id = $1 AND counter !~ '^(campaign|group)' GROUP BY 1
       ), found (counter, amount) AS (
         SELECT 'contacts', count(*) FROM contacts WHERE account_id = $1 AND deleted_at IS NULL
         UNION ALL SELECT 'conversations', count(*) FROM conversations WHERE account_id = $1
         UNION ALL SELECT 'wallet.credits', sum(amount) FROM wallet_entries WHERE account_id = $1
       )
       SELECT counter, coalesce(c.amount, 0) AS counted, coalesce(f.amount, 0) AS found
       FROM counted c FULL JOIN found f USING (counter) WHERE coalesce(c.amount, 0) <> coalesce(f.amount, 0)`,
      [accountId],
    );
    return rows.map(({ counter, counted, found }) => `the counter ${counter} says ${counted}, the rows say ${found}`);
  }

  /** Compares events with messages. */
  async eventFindings({ accountId }: FaultAccount): Promise<string[]> {
    const rows = await this.stack.query<{ kind: string; events: string; messages: string }>(
      `SELECT kind, count(*) AS events, count(DISTINCT body::json -> 'message' ->> 'message_id') AS messages
       FROM events WHERE account_id = $1 AND kind ~ '^message[.](sent|delivered|read|failed)$' GROUP BY kind`,
      [accountId],
    );
    const [read] = await this.stack.query<{ count: string }>(
      `SELECT count(*) FROM messages WHERE account_id = $1 AND status = 'read'`,
      [accountId],
    );
    const reported = rows.find(({ kind }) => kind === 'message.read')?.messages ?? '0';
    return [
      ...rows
        .filter(({ events, messages }) => events !== messages)
        .map(({ kind, events, messages }) => `${events} events ${kind} for ${messages} messages`),
      ...(reported === read?.count ? [] : [`${read?.count} messages were read, but there are events for ${reported}`]),
    ];
  }

  private async inboundFindings({ accountId }: FaultAccount, written: readonly string[]): Promise<string[]> {
    const rows = await this.stack.query<{ id: string }>(
      `SELECT network_message_id AS id FROM messages WHERE account_id = $1 AND direction = 'in'`,
      [accountId],
    );
    const stored = rows.map(({ id }) => id);
    return [
      ...list(
        'messages from contacts were lost',
        written.filter((id) => !stored.includes(id)),
      ),
      ...list('messages from contacts are stored twice', repeated(stored)),
    ];
  }
}

/** Compares what the network accepted with what is stored. */
function ledgerFindings(
  ledger: readonly LedgerEntry[],
  messages: readonly MessageRow[],
  unsentCodes: readonly number[],
): string[] {
  const known = new Map(messages.map((message) => [message.id, message]));
  const accepted = new Set(ledger.map(({ biz_opaque_callback_data }) => biz_opaque_callback_data));
  const unread = messages.filter(({ id, status }) => accepted.has(id) && status !== 'read');
  const unsent = messages.filter(({ id, code }) => !accepted.has(id) && !(code !== null && unsentCodes.includes(code)));
  return [
    ...list('messages were sent twice', repeated(ledger.map(({ biz_opaque_callback_data: id }) => id))),
    ...list(
      'messages at the network are not stored',
      [...accepted].filter((id) => !known.has(id)),
    ),
    ...list(
      `messages at the network are not read here; they are ${count(unread.map(({ status }) => status))}`,
      ids(unread),
    ),
    ...list(
      `messages never reached the network and did not fail as unsent; they are ${count(unsent.map(({ status, code }) => `${status} ${code}`))}`,
      ids(unsent),
    ),
  ];
}

/** Compares the answers to callers with what the network accepted. */
function sendFindings(
  sends: readonly SendOutcome[],
  ledger: readonly LedgerEntry[],
  messages: readonly MessageRow[],
): string[] {
  const accepted = new Set(ledger.map(({ biz_opaque_callback_data }) => biz_opaque_callback_data));
  const phones = [...new Set(sends.map(({ phone }) => phone))];
  const ofCampaigns = new Set(ids(messages.filter(({ campaign }) => campaign !== null)));
  const entries = groupBy(
    ledger.filter(({ biz_opaque_callback_data: id }) => !ofCampaigns.has(id)),
    ({ to }) => to,
  );
  const rows = groupBy(
    messages.filter(({ campaign }) => campaign === null),
    ({ phone }) => phone,
  );
  const requests = groupBy(sends, ({ phone }) => phone);
  const sentTo = (phone: string) => entries.get(phone)?.length ?? 0;
  const answered = (phone: string, status: number) =>
    requests.get(phone)?.filter((send) => send.status === status).length ?? 0;
  const unsure = (phone: string) =>
    requests.get(phone)?.filter(({ status }) => ![200, 400, 401, 403, 404, 429, 503].includes(Number(status))).length ??
    0;
  return [
    ...list(
      'sends were answered 200 but did not reach the network',
      sends
        .filter(({ status, messageId }) => status === 200 && !accepted.has(messageId ?? ''))
        .map(({ phone }) => phone),
    ),
    ...list(
      'numbers got a message although the send was refused',
      phones.filter((phone) => sentTo(phone) > answered(phone, 200) + unsure(phone)),
    ),
    ...list(
      'numbers have more messages than sends',
      phones.filter((phone) => (rows.get(phone)?.length ?? 0) > (requests.get(phone)?.length ?? 0)),
    ),
  ];
}

const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

export const repeated = (values: readonly string[]): string[] => {
  const groups = groupBy(values, (value) => value);
  return [...groups].flatMap(([value, group]) => (group.length > 1 ? [value] : []));
};

/** One finding with examples, or none if `which` is empty. */
export const list = (what: string, which: readonly string[]): string[] =>
  which.length === 0 ? [] : [`${which.length} ${what}, such as ${which.slice(0, EXAMPLES).join(', ')}`];

/** How often each value occurs: `read × 31, failed 900002 × 4`. */
export const count = (values: readonly string[]): string =>
  [...groupBy(values, (value) => value)].map(([value, group]) => `${value} × ${group.length}`).join(', ');

function groupBy<Value>(values: readonly Value[], key: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(key(value));
    if (group === undefined) groups.set(key(value), [value]);
    else group.push(value);
  }
  return groups;
}
