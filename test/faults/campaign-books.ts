import { MIN_OWN_ERROR_CODE } from '../../src/errors/error-catalog.js';
import { RETRIED } from '../../src/messages/message-status.js';
import type { LedgerEntry } from '../support/simulator-control.js';
import { Books, count, list, repeated } from './books.js';
import type { FaultAccount, FaultCampaign, FaultStack } from './fault-stack.js';
import { say } from './figures.js';

/** Longest time without progress, except while waiting for a due time; milliseconds. */
const MAX_STANDSTILL_MS = 60_000;
const SETTLED_WITHIN_MS = 240_000;
const POLL_MS = 200;

/** The state of a campaign. */
export interface CampaignState {
  readonly id: string;
  readonly status: string;
  readonly paused: boolean;
  readonly reason: string | null;
}

/** A message of a campaign, with its recipient. */
interface MessageRow {
  readonly id: string;
  readonly campaign: string;
  readonly phone: string;
  readonly status: string;
  readonly code: number | null;
  readonly seen: number;
  readonly accepted: boolean;
}

interface RecipientRow {
  readonly campaign: string;
  readonly phone: string;
  readonly state: string;
  readonly message: string | null;
}

/** Compares the network's ledger with rows, counters and credits of an account that only sends campaigns. */
export class CampaignBooks {
  constructor(
    private readonly stack: FaultStack,
    private readonly account: FaultAccount,
    private readonly campaigns: readonly FaultCampaign[],
  ) {}

  /**
   * Waits until every campaign has ended and nothing is in flight, queued or unreported.
   *
   * @param mend called with the campaigns on each poll
   * @returns what is still open in the end
   */
  async rest(mend: (states: readonly CampaignState[]) => Promise<void>): Promise<string[]> {
    const giveUpAt = Date.now() + SETTLED_WITHIN_MS;
    let last = '';
    let movedAt = Date.now();
    for (;;) {
      await mend(await this.states());
      const { progress, waitsUntil, ...open } = await this.open();
      const left = Object.entries(open).filter(([, number]) => number !== 0);
      if (left.length === 0) return [];
      const now = JSON.stringify([left, progress]);
      if (now !== last) movedAt = Date.now();
      last = now;
      const stoodMs = Date.now() - Math.max(movedAt, waitsUntil);
      const summary = left.map(([what, number]) => `${number} ${what}`).join(', ');
      if (stoodMs > MAX_STANDSTILL_MS && open.jobs === 0) return [`no more progress: ${summary}`];
      if (Date.now() > giveUpAt) return [`still not settled after ${SETTLED_WITHIN_MS / 1000} s: ${summary}`];
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Compares everything, once {@link rest} has returned. */
  async findings(): Promise<string[]> {
    const [ledger, messages, recipients] = await Promise.all([this.ledger(), this.messages(), this.recipients()]);
    say(
      `  ${ledger.length} at the network; messages: ${count(messages.map(({ status, code }) => `${status}${code === null ? '' : ` ${code}`}`))}; recipients: ${count(recipients.map(({ state }) => state))}`,
    );
    const accepted = new Set(ledger.map(({ biz_opaque_callback_data: id }) => id));
    const known = new Set(messages.map(({ id }) => id));
    const books = new Books(this.stack);
    return [
      ...list('messages were sent twice', repeated(ledger.map(({ biz_opaque_callback_data: id }) => id))),
      ...list(
        'messages at the network are not stored',
        [...accepted].filter((id) => !known.has(id)),
      ),
      ...list(
        'messages never reached the network and did not fail with a code',
        messages
          .filter(({ id, status, code }) => !accepted.has(id) && (status !== 'failed' || code === null))
          .map(show),
      ),
      ...(
        await Promise.all(
          this.campaigns.map((campaign) => this.campaignFindings(campaign, ledger, messages, recipients)),
        )
      ).flat(),
      ...(await books.counterFindings(this.account)),
      ...(await books.eventFindings(this.account)),
    ];
  }

  private async campaignFindings(
    { id, phones }: FaultCampaign,
    ledger: readonly LedgerEntry[],
    messages: readonly MessageRow[],
    recipients: readonly RecipientRow[],
  ): Promise<string[]> {
    const own = new Map(messages.filter(({ campaign }) => campaign === id).map((message) => [message.id, message]));
    const theirs = recipients.filter(({ campaign }) => campaign === id);
    const sent = ledger.filter(({ biz_opaque_callback_data: message }) => own.has(message));
    // What the network accepted and failed later reached nobody.
    const arrived = sent.filter(({ biz_opaque_callback_data: message }) => !failedLater(own.get(message)));
    const reached = arrived.map(({ to }) => to);
    // The counters are of people: of who was retried, only the latest message counts.
    const counts = ({ biz_opaque_callback_data: message }: LedgerEntry): boolean =>
      ((own.get(message)?.seen ?? 0) & RETRIED) === 0;
    const [sentCount, readCount] = [sent.filter(counts).length, arrived.filter(counts).length];
    const latest = new Map(
      theirs.map(({ phone, message }) => [phone, message === null ? undefined : own.get(message)]),
    );
    const replaced = [...own.values()].filter(({ id: message, phone }) => latest.get(phone)?.id !== message);
    const claimed = theirs.filter(({ state }) => state === 'claimed');
    const statusOf = ({ phone }: RecipientRow) => latest.get(phone)?.status ?? 'none';
    const read = claimed.filter((recipient) => statusOf(recipient) === 'read').length;
    const failed = claimed.filter((recipient) => statusOf(recipient) === 'failed').length;
    const cancelled = theirs.length - claimed.length;
    const { body: stats } = await this.account.api.get(`/api/v1/campaigns/${id}/stats`);
    const counted = [stats['sent_count'], stats['delivered_count'], stats['read_count'], stats['failed_count']];
    const listed = await Promise.all(
      ['read', 'failed', 'cancelled', 'pending'].map((status) => this.listed(id, status)),
    );
    const [credits] = await this.stack.query<{ spent: string }>(
      'SELECT coalesce(-sum(amount), 0) AS spent FROM wallet_entries WHERE account_id = $1 AND campaign_id = $2',
      [this.account.accountId, id],
    );
    return [
      ...(`${theirs.map(({ phone }) => phone).sort()}` === `${[...phones].sort()}`
        ? []
        : [`the campaign has ${theirs.length} of ${phones.length} recipients`]),
      ...list('recipients were sent to twice', repeated(reached)),
      ...list(
        'recipients are not read, failed or cancelled',
        claimed.filter((recipient) => !['read', 'failed'].includes(statusOf(recipient))).map(({ phone }) => phone),
      ),
      ...list(
        'cancelled recipients were sent to',
        theirs.filter(({ state, phone }) => state === 'cancelled' && reached.includes(phone)).map(({ phone }) => phone),
      ),
      ...list(
        'messages were replaced without a retry',
        replaced.filter(({ seen }) => (seen & RETRIED) === 0).map(show),
      ),
      ...(`${counted}` === `${[sentCount, readCount, readCount, failed]}`
        ? []
        : [`the statistics say ${counted}, the network ${sentCount} and ${readCount}, the rows ${failed} failed`]),
      ...(`${listed}` === `${[read, failed, cancelled, 0]}`
        ? []
        : [`the list says ${listed} read, failed, cancelled, pending, and the rows ${[read, failed, cancelled, 0]}`]),
      ...(Number(credits?.spent) === sent.length
        ? []
        : [`${credits?.spent} credits were spent on ${sent.length} messages`]),
    ].map((what) => `campaign ${id}: ${what}`);
  }

  private async listed(id: string, status: string): Promise<unknown> {
    return (await this.account.api.get(`/api/v1/campaigns/${id}/recipients?status=${status}`)).body['total'];
  }

  private states(): Promise<CampaignState[]> {
    return this.stack.query<CampaignState>(
      'SELECT id, status, paused, failure_reason AS reason FROM campaigns WHERE account_id = $1',
      [this.account.accountId],
    );
  }

  /** Counts of open work, and until when some of it may wait, in milliseconds since 1970. */
  private async open() {
    const [ledger, messages, jobs, rows] = await Promise.all([
      this.ledger(),
      this.messages(),
      this.jobs(),
      this.stack.query<Record<'campaigns' | 'pending' | 'flights' | 'waitsUntil', string>>(
        `SELECT (SELECT count(*) FROM campaigns WHERE account_id = $1 AND status NOT IN ('completed', 'cancelled')) AS campaigns,
                (SELECT count(*) FROM campaign_recipients WHERE account_id = $1 AND state = 'pending') AS pending,
                (SELECT count(*) FROM sends_in_flight WHERE account_id = $1) AS flights,
                1000 * extract(epoch FROM greatest(
                  (SELECT max(due_at) FROM campaign_recipients WHERE account_id = $1 AND state = 'pending'),
                  (SELECT max(greatest(settle_at, lease_until)) FROM sends_in_flight WHERE account_id = $1),
                  (SELECT max(scheduled_at) FROM campaigns WHERE account_id = $1 AND status = 'scheduled'),
                  now() - interval '1 day')) AS "waitsUntil"`,
        [this.account.accountId],
      ),
    ]);
    const isSettled = (message: MessageRow): boolean => message.status === 'read' || failedLater(message);
    const settled = new Set(messages.filter(isSettled).map(({ id }) => id));
    const [row] = rows;
    return {
      campaigns: Number(row?.campaigns),
      'pending recipients': Number(row?.pending),
      flights: Number(row?.flights),
      jobs,
      'messages of unknown outcome': messages.filter(({ seen }) => seen === 0).length,
      'messages unread': messages.filter((message) => message.accepted && !isSettled(message)).length,
      'messages at the network unread': ledger.filter(({ biz_opaque_callback_data: id }) => !settled.has(id)).length,
      waitsUntil: Number(row?.waitsUntil),
      progress: [ledger.length, messages.reduce((sum, { seen }) => sum + seen, 0)],
    };
  }

  /** Open jobs about the account; 0 if the queues are on Redis. */
  private async jobs(): Promise<number> {
    const [table] = await this.stack.query<{ name: string | null }>(`SELECT to_regclass('bullmq.job') AS name`);
    if (table?.name == null) return 0;
    const [open] = await this.stack.query<{ count: string }>(
      `SELECT count(*) FROM bullmq.job
       WHERE data ->> 'account_id' = $1::text AND state NOT IN ('completed', 'failed')`,
      [this.account.accountId],
    );
    return Number(open?.count);
  }

  private async ledger(): Promise<LedgerEntry[]> {
    const own = this.account.phones.map(({ phoneNumberId }) => this.stack.simulator.ledger(phoneNumberId));
    return (await Promise.all(own)).flat();
  }

  private messages(): Promise<MessageRow[]> {
    return this.stack.query<MessageRow>(
      `SELECT m.id, m.campaign_id AS campaign, c.phone_number AS phone, m.status, m.error_code AS code, m.seen,
              m.network_message_id IS NOT NULL AS accepted
       FROM messages m JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
       WHERE m.account_id = $1`,
      [this.account.accountId],
    );
  }

  private recipients(): Promise<RecipientRow[]> {
    return this.stack.query<RecipientRow>(
      `SELECT r.campaign_id AS campaign, c.phone_number AS phone, r.state, r.message_id AS message
       FROM campaign_recipients r JOIN contacts c ON c.account_id = r.account_id AND c.id = r.contact_id
       WHERE r.account_id = $1`,
      [this.account.accountId],
    );
  }
}

/** Whether the network itself failed it, after it had accepted it; an unknown outcome waits for its reports. */
const failedLater = (message: MessageRow | undefined): boolean =>
  message?.status === 'failed' && message.accepted && message.code !== null && message.code < MIN_OWN_ERROR_CODE;

const show = ({ id, status, code }: MessageRow): string => `${id} (${status} ${code})`;
