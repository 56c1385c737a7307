import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { SandboxFile } from '../../sandbox/sandbox-file.js';
import { Program, removeDataDirectory, temporaryDirectory } from '../sandbox/program.js';
import { ApiClient } from '../support/api-client.js';
import { type LedgerEntry, SimulatorControl } from '../support/simulator-control.js';
import { until } from '../support/until.js';

/** The network's answer never comes before the kill, however late that is on a busy machine, milliseconds. */
const LATENCY_MS = 200_000;
const TIMING = { NETWORK_TIMEOUT_MS: '400000' };
/** How long the server may take to connect, and for one statement, on a busy machine, milliseconds. */
const DATABASE_TIMEOUT_MS = 60_000;

/** A message as the API shows it. */
export interface ShownMessage {
  readonly message_id: string;
  readonly status: string;
  readonly error_code: number | null;
  readonly network_message_id: string | null;
}

/** Runs a sandbox whose service is killed while it waits for the network's answer to a single send. */
export class KilledSend {
  private readonly dataDir = path.join(temporaryDirectory(), '.parley');
  private program: Program | null = null;

  /** Runs `npm start`; can be repeated. */
  async start(): Promise<void> {
    const program = Program.script('start.mjs', { DATA_DIR: this.dataDir, PORT: '0', LOG_LEVEL: 'error', ...TIMING });
    this.program = program;
    await program.until('the sandbox is up', () => program.stdout.includes('Ctrl-C stops it'));
    await this.simulator.behave({ latency_ms: 0 });
  }

  /** Kills the service with `kill -9`; the simulator exits when its parent is gone. */
  async kill(): Promise<void> {
    this.program?.kill('SIGKILL');
    await this.program?.exit;
  }

  async clear(): Promise<void> {
    await Program.killAll();
    removeDataDirectory(this.dataDir);
    rmSync(path.dirname(this.dataDir), { recursive: true, force: true });
  }

  get api(): ApiClient {
    return new ApiClient(this.sandbox.base_url ?? '', this.sandbox.api_key);
  }

  get simulator(): SimulatorControl {
    return new SimulatorControl(this.sandbox.simulator_url ?? '');
  }

  /** Opens the service window of `contact`, sends it a text and kills the service once the network has accepted it. */
  async killBetweenAcceptAndCommit(contact: string, behaviour: Record<string, unknown>): Promise<LedgerEntry> {
    const { phone_number_id } = this.phone;
    await this.openWindow(contact, phone_number_id);
    await this.simulator.behave({ latency_ms: LATENCY_MS, ...behaviour });
    const sending = this.api
      .post('/api/v1/messages/send-message', { contact_phone: contact, message_type: 'text', message: 'Hello' })
      .then(({ status }) => status)
      .catch(() => 'no answer');
    const [accepted] = await until('the network has accepted it', async () => {
      const ledger = await this.ledger(contact);
      return ledger.length > 0 && ledger;
    });
    await this.kill();
    expect(await sending).toBe('no answer');
    if (accepted === undefined) throw new Error('the ledger has an entry');
    return accepted;
  }

  /** Ends the time in which the outcomes of all sends under way may still become known. */
  async endHorizon(): Promise<void> {
    await this.query('UPDATE sends_in_flight SET settle_at = now()');
  }

  /** Messages to `contact` that the network accepted. */
  async ledger(contact: string): Promise<LedgerEntry[]> {
    return (await this.simulator.ledger(this.phone.phone_number_id)).filter(({ to }) => to === contact);
  }

  /** Waits until the only message to `contact` has this status, and returns its record. */
  async untilStatus(contact: string, status: string): Promise<ShownMessage> {
    const messages = await this.untilInDatabase(contact, status);
    expect(messages).toHaveLength(1);
    const { body } = await this.api.get<{ messages: ShownMessage[] }>(
      `/api/v1/messages/?contact_phone=${contact}&direction=out`,
    );
    const [message] = body.messages;
    if (message === undefined) throw new Error('the message is in the history');
    return message;
  }

  /** Polls the database, because the sandbox's key allows only 100 requests per minute. */
  private async untilInDatabase(contact: string, status: string): Promise<{ status: string }[]> {
    return until(`the message is ${status}`, async () => {
      const rows = await this.query<{ status: string }>(
        `SELECT m.status FROM messages m JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
         WHERE c.phone_number = $1 AND m.direction = 'out'`,
        [contact],
      );
      return rows.some((row) => row.status === status) && rows;
    });
  }

  /** Lets a contact write, and waits until their message is stored. */
  private async openWindow(from: string, phone_number_id: string): Promise<void> {
    await this.simulator.inbound({ phone_number_id, from, type: 'text', text: 'Hi' });
    await until('the contact has written', async () => {
      const rows = await this.query(
        `SELECT FROM messages m JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
         WHERE c.phone_number = $1 AND m.direction = 'in'`,
        [from],
      );
      return rows.length > 0;
    });
  }

  private async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({
      connectionString: this.sandbox.database_url,
      connectionTimeoutMillis: DATABASE_TIMEOUT_MS,
      query_timeout: DATABASE_TIMEOUT_MS,
    });
    await client.connect();
    try {
      return (await client.query(sql, parameters)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  private get sandbox(): SandboxFile {
    return JSON.parse(readFileSync(path.join(this.dataDir, 'sandbox.json'), 'utf8')) as SandboxFile;
  }

  private get phone(): SandboxFile['business_phones'][number] {
    const [phone] = this.sandbox.business_phones;
    if (phone === undefined) throw new Error('the sandbox has a phone');
    return phone;
  }
}
