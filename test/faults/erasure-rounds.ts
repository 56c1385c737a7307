import { SeededRandom } from '../../simulator/seeded-random.js';
import { columnsWith, dumpOf } from '../personal-data/database-dump.js';
import { ApiClient } from '../support/api-client.js';
import { crowd } from '../support/crowd.js';
import { uniqueDigits, uniquePhone } from '../support/test-account.js';
import { Hopeless, until } from '../support/until.js';
import { subscribe } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';
import { type FaultAccount, type FaultService, FaultStack } from './fault-stack.js';
import { say } from './figures.js';
import { cutRepeatedly } from './path-faults.js';
import { pause } from './pause.js';

const WORKERS = 2;
const PEOPLE = 12;
/** Events that a run has to go through: enough for many batches. */
const LOGGED = 100_000;
/** Extra latency of each statement, so that faults hit running erasures; milliseconds. */
const DELAY_MS = 8;
/** Latest times of the steps of a round, milliseconds from its start. */
const REQUESTED_BY_MS = 1500;
const FAULT_BY_MS = 4000;
const SETTLED_WITHIN_MS = 240_000;

/** A contact of a round, with the data to erase. */
interface Person {
  readonly contactId: string;
  readonly phone: string;
  readonly name: string;
  readonly text: string;
  /** Whether they write again after the erasure, which creates a new contact. */
  readonly returns: boolean;
}

/** Runs rounds on one stack: two API processes, two workers, and PostgreSQL behind a proxy. */
export class ErasureRounds {
  private constructor(
    private readonly stack: FaultStack,
    private readonly receiver: Receiver,
    private readonly api: FaultService,
    private readonly workers: FaultService[],
  ) {}

  static async start(): Promise<ErasureRounds> {
    const stack = await FaultStack.start();
    const receiver = await Receiver.listen(({ body }) => ({ status: 200, body: body.toString() }));
    const rounds = new ErasureRounds(stack, receiver, await stack.mainService({ PARLEY_ROLES: 'api' }), []);
    for (let place = 0; place < WORKERS; place += 1) await rounds.startWorker(place);
    return rounds;
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.receiver.close();
  }

  /**
   * Erases people while processes are killed and the database is cut off.
   *
   * @returns what went wrong
   */
  async run(seed: number): Promise<string[]> {
    const random = new SeededRandom(seed);
    for (let turn = 0; turn < 8; turn += 1) random.next();
    const upTo = (most: number): number => Math.floor(random.next() * (most + 1));
    const account = await this.stack.account(this.api);
    await subscribe(account, { url: this.receiver.url(), retry_count: 0 });
    const people = await crowd(PEOPLE, (place) => this.person(account, place % 3 === 0));
    await this.log(account, people);
    const before = await this.countsOf(account);

    this.stack.proxy.delay(DELAY_MS);
    // An API process that is killed during requests.
    const victim = await this.stack.service({ PARLEY_ROLES: 'api' });
    const victimApi = new ApiClient(victim.baseUrl, account.apiKey);
    // What one of them refuses, the other is asked.
    const clients = [victimApi.impatient, account.api.impatient];
    const requests = people.map((person) => this.erase(upTo(REQUESTED_BY_MS), clients, person));
    const faults = [
      this.kill(upTo(REQUESTED_BY_MS), victim),
      ...Array.from({ length: 1 + upTo(4) }, () => this.replaceWorker(upTo(FAULT_BY_MS), upTo(WORKERS - 1), upTo(500))),
      this.cut(upTo(FAULT_BY_MS), upTo(1500)),
    ];
    const [requested] = await Promise.allSettled([Promise.all(requests), ...faults]);
    if (requested.status === 'rejected') throw requested.reason;
    await this.stack.proxy.heal();

    await this.passed(account, 1);
    const returned = people.filter(({ returns }) => returns);
    for (const { phone } of returned) await this.write(account, phone, 'Somebody else', 'Here again');
    await this.stack.query(
      `UPDATE contact_erasures SET due_at = now(), requested_at = requested_at - interval '5 minutes' WHERE account_id = $1`,
      [account.accountId],
    );
    await this.passed(account, 2);
    return this.findings(account, people, returned.length, before);
  }

  private async findings(
    account: FaultAccount,
    people: readonly Person[],
    returned: number,
    before: Counts,
  ): Promise<string[]> {
    const dump = await dumpOf(this.stack.databaseUrl);
    const needles = people.flatMap(({ phone, name, text, returns }) => [name, text, ...(returns ? [] : [phone])]);
    const left = columnsWith(dump, needles);
    const now = await this.countsOf(account);
    const cleared = await this.stack.query<{ n: string }>(
      'SELECT count(*) AS n FROM contact_erasures WHERE account_id = $1 AND cleared_at IS NOT NULL AND identity IS NULL',
      [account.accountId],
    );
    return [
      ...left.map((column) => `${column} still holds personal data`),
      ...(Number(cleared[0]?.n) === people.length ? [] : ['not all erasures are complete']),
      ...(now.contacts === returned ? [] : [`${now.contacts} contacts are listed`]),
      ...(now.events >= before.events ? [] : ['events were lost']),
      ...(now.messages === before.messages + returned ? [] : ['messages were lost']),
    ];
  }

  private async countsOf({ api, accountId }: FaultAccount): Promise<Counts> {
    const totalOf = async (path: string): Promise<number> => Number((await api.get(path)).body['total']);
    const events = await this.stack.query<{ n: string }>('SELECT count(*) AS n FROM events WHERE account_id = $1', [
      accountId,
    ]);
    return {
      contacts: await totalOf('/api/v1/contacts/?limit=1'),
      messages: await totalOf('/api/v1/messages/?limit=1'),
      events: Number(events[0]?.n),
    };
  }

  private async person(account: FaultAccount, returns: boolean): Promise<Person> {
    const [phone, name, text] = [uniquePhone(), `Name${uniqueDigits()}`, `text${uniqueDigits()}`];
    const headers = { 'idempotency-key': `create ${phone}` };
    const body = { phone_number: phone, first_name: name, email: `${name}@example.test` };
    const { body: created } = await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', body, {
      headers,
    });
    await this.write(account, phone, name, text);
    const { status } = await account.api.post('/api/v1/messages/send-message', {
      contact_phone: phone,
      message_type: 'text',
      message: text,
    });
    if (status !== 200) throw new Error(`the message was answered ${status}`);
    return { contactId: created.contact.id, phone, name, text, returns };
  }

  private async write(account: FaultAccount, from: string, name: string, text: string): Promise<void> {
    const message = { phone_number_id: account.phone.phoneNumberId, from, name, type: 'text', text };
    const { callback_status } = await this.stack.simulator.inbound(message);
    if (callback_status !== 200) throw new Error(`the message was answered ${callback_status}`);
  }

  /** Stores events about the contacts to erase, and as many about others. */
  private async log({ accountId }: FaultAccount, people: readonly Person[]): Promise<void> {
    await this.stack.query(
      `INSERT INTO events (account_id, id, occurred_at, kind, contact_id, body)
       SELECT $1::uuid, new_record_id(), now(), 'message.sent', p.id,
              json_build_object('event', 'message.sent', 'message', json_build_object('contact_name', p.name, 'contact_phone', p.phone))
       FROM generate_series(1, $5::int) n
       JOIN unnest($2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY AS p (id, name, phone, place)
         ON p.place = n % (2 * $6::int)
       UNION ALL
       SELECT $1::uuid, new_record_id(), now(), 'message.sent', new_record_id(), '{"event":"message.sent"}'
       FROM generate_series(1, $5::int / 2)`,
      [
        accountId,
        people.map(({ contactId }) => contactId),
        people.map(({ name }) => name),
        people.map(({ phone }) => phone),
        LOGGED,
        people.length,
      ],
    );
  }

  /** Requests an erasure from each client in turn until one answers. */
  private async erase(at: number, clients: readonly ApiClient[], { contactId }: Person): Promise<void> {
    await pause(at);
    let turn = 0;
    await until('the erasure is answered', async () => {
      const client = clients[turn % clients.length] as ApiClient;
      turn += 1;
      const answer = await client.delete(`/api/v1/contacts/${contactId}?erase=true`).catch(() => null);
      if (answer !== null && ![200, 503].includes(answer.status)) {
        throw new Hopeless(`the erasure was answered ${answer.status} ${answer.text}`);
      }
      return answer?.status === 200;
    });
  }

  private async kill(at: number, { process }: FaultService): Promise<void> {
    await pause(at);
    await process.kill();
  }

  private async replaceWorker(at: number, place: number, away: number): Promise<void> {
    await pause(at);
    const worker = this.workers[place];
    if (worker?.process.running !== true) return;
    const runs = await this.stack.query<{ step: string; position: string | null }>('SELECT * FROM erasure_runs');
    say(`a worker is killed at ${runs.map(({ step, position }) => `${step} ${position}`).join(', ') || 'rest'}`);
    await this.kill(0, worker);
    await pause(away);
    await this.startWorker(place);
  }

  private async cut(at: number, lasts: number): Promise<void> {
    await pause(at);
    await cutRepeatedly(this.stack.proxy, 'reset', lasts, 200);
  }

  /** Starts a worker, again and again: a process exits when it cannot reach the database. */
  private async startWorker(place: number): Promise<void> {
    const env = { PARLEY_ROLES: 'worker' };
    this.workers[place] = await until('a worker runs', () => this.stack.service(env).catch(() => null));
  }

  private async passed({ accountId }: FaultAccount, passes: number): Promise<void> {
    await until(
      `every erasure has completed ${passes} passes`,
      async () => {
        const [open] = await this.stack.query<{ n: string }>(
          'SELECT count(*) AS n FROM contact_erasures WHERE account_id = $1 AND (passes < $2 OR in_run)',
          [accountId, passes],
        );
        return Number(open?.n) === 0;
      },
      SETTLED_WITHIN_MS,
    );
  }
}

/** Totals of an account. */
interface Counts {
  readonly contacts: number;
  readonly messages: number;
  readonly events: number;
}
