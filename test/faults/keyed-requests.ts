import { closed, opened } from '../support/left-open.js';
import { uniquePhone } from '../support/test-account.js';
import { list, repeated } from './books.js';
import type { FaultAccount, FaultStack } from './fault-stack.js';
import { Load, measured, type Outcome } from './load.js';
import { pause } from './pause.js';
import type { SendOutcome } from './traffic.js';

/** Requests per second. */
const RATES = { sends: 3, contacts: 2 };
/** Pause before a repeat without Retry-After, milliseconds. */
const REPEAT_AFTER_MS = 250;
/** How long a request is repeated at most, milliseconds. */
const GIVE_UP_MS = 120_000;

/** One request and its repeats, all with the same Idempotency-Key. */
interface KeyedRequest {
  readonly phone: string;
  readonly attempts: readonly Outcome[];
  /** The last of the attempts. */
  readonly final: Outcome;
}

/**
 * A client that sends messages and creates contacts, each for a new phone number and with an Idempotency-Key. It
 * repeats a request until it has an answer that stands: anything but a 409 about its own key, a 502 or a 503.
 */
export class KeyedRequests {
  readonly sends: KeyedRequest[] = [];
  readonly contacts: KeyedRequest[] = [];
  private loads: Load[] = [];
  /** Nobody waits for the answers any more. */
  private isAbandoned = false;

  constructor(
    private readonly baseUrl: string,
    private readonly account: FaultAccount,
  ) {}

  start(): void {
    const { template } = this.account;
    opened(this, 'KeyedRequests', async () => {
      this.isAbandoned = true;
    });
    this.loads = [
      new Load(RATES.sends, () =>
        this.make(this.sends, '/api/v1/messages/send', (phone) => ({ template_name: template, contact_phone: phone })),
      ),
      new Load(RATES.contacts, () =>
        this.make(this.contacts, '/api/v1/contacts/', (phone) => ({ phone_number: phone, first_name: 'Ada' })),
      ),
    ];
  }

  /** Stops, and waits until every request is answered. */
  async stop(): Promise<void> {
    closed(this);
    await Promise.all(this.loads.map((load) => load.stop()));
  }

  /** Every attempt of every request. */
  get attempts(): Outcome[] {
    return [...this.sends, ...this.contacts].flatMap(({ attempts }) => attempts);
  }

  /** The sends for {@link Books}: one per key. */
  get sendOutcomes(): SendOutcome[] {
    return this.sends.map(({ phone, final }) => ({
      ...final,
      phone,
      messageId: /"message_id":"([^"]+)"/.exec(final.text)?.[1] ?? null,
    }));
  }

  /** Compares the answers with the rows. A 504 says that a send's outcome is unknown: its process died. */
  async findings(stack: FaultStack): Promise<string[]> {
    const rows = await stack.query<{ phone: string }>(
      'SELECT phone_number AS phone FROM contacts WHERE account_id = $1 AND deleted_at IS NULL',
      [this.account.accountId],
    );
    const stored = new Set(rows.map(({ phone }) => phone));
    return [
      ...list(
        'sends were never answered 200 or 504',
        this.sends.filter(({ final }) => ![200, 504].includes(Number(final.status))).map(show),
      ),
      ...list('contacts were never answered 201', this.contacts.filter(({ final }) => final.status !== 201).map(show)),
      ...list(
        'contacts were answered 201 and are not stored',
        this.contacts.filter(({ phone }) => !stored.has(phone)).map(({ phone }) => phone),
      ),
      ...list('contacts are stored twice', repeated(rows.map(({ phone }) => phone))),
    ];
  }

  private async make(to: KeyedRequest[], path: string, bodyOf: (phone: string) => object): Promise<void> {
    const phone = uniquePhone();
    const init = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.account.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': `for-${phone}`,
      },
      body: JSON.stringify(bodyOf(phone)),
    };
    const attempts: Outcome[] = [];
    const giveUpAt = Date.now() + GIVE_UP_MS;
    for (;;) {
      const attempt = await measured(`${this.baseUrl}${path}`, init);
      attempts.push(attempt);
      if (stands(attempt) || this.isAbandoned || Date.now() > giveUpAt) {
        to.push({ phone, attempts, final: attempt });
        return;
      }
      await pause(attempt.retryAfter === null ? REPEAT_AFTER_MS : Number(attempt.retryAfter) * 1000);
    }
  }
}

const stands = ({ status, retryAfter }: Outcome): boolean =>
  typeof status === 'number' && ![502, 503].includes(status) && !(status === 409 && retryAfter !== null);

const show = ({ phone, attempts }: KeyedRequest): string =>
  `${phone} (${attempts.map(({ status, text }) => `${status} ${text}`.slice(0, 120)).join('; ')})`;
