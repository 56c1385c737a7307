import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { SandboxFile } from '../../sandbox/sandbox-file.js';
import { Program, removeDataDirectory, temporaryDirectory } from '../sandbox/program.js';
import { ApiClient } from '../support/api-client.js';
import { type LedgerEntry, SimulatorControl } from '../support/simulator-control.js';
import { until } from '../support/until.js';
import { pause } from './pause.js';

/** Short timeouts, so that what a kill left open settles within the test. */
const TIMING = { NETWORK_TIMEOUT_MS: '1500', LEASE_SECONDS: '3', UNKNOWN_OUTCOME_HORIZON: '2' };
/** Start of a range of valid numbers. Each sandbox has its own database, so every run can use them. */
const FIRST_PHONE = 4_915_200_000_000;
/** How long the server may take to connect, and for one statement, on a busy machine, milliseconds. */
const DATABASE_TIMEOUT_MS = 60_000;
/** The sandbox's key allows 100 requests per minute, milliseconds. */
const POLL_MS = 700;

/** Fresh counts of the rows of a campaign. */
export interface RowCounts {
  readonly open: number;
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly failed: number;
  readonly unsettled: number;
}

/** Runs a campaign in a sandbox whose service is killed and restarted. */
export class KilledCampaign {
  private readonly dataDir = path.join(temporaryDirectory(), '.parley');
  private program: Program | null = null;
  campaignId = '';
  phones: string[] = [];

  /** Runs `npm start`; can be repeated. */
  async start(): Promise<void> {
    const program = Program.script('start.mjs', { DATA_DIR: this.dataDir, PORT: '0', LOG_LEVEL: 'error', ...TIMING });
    this.program = program;
    await program.until('the sandbox is up', () => program.stdout.includes('Ctrl-C stops it'));
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

  get sandbox(): SandboxFile {
    return JSON.parse(readFileSync(path.join(this.dataDir, 'sandbox.json'), 'utf8')) as SandboxFile;
  }

  get api(): ApiClient {
    return new ApiClient(this.sandbox.base_url ?? '', this.sandbox.api_key);
  }

  get simulator(): SimulatorControl {
    return new SimulatorControl(this.sandbox.simulator_url ?? '');
  }

  /** Creates and sends a campaign to `recipients` contacts without a throughput limit. */
  async send(recipients: number): Promise<void> {
    await this.query('UPDATE business_phones SET throughput = 0');
    await this.simulator.behave({ review_delay_ms: 0, status_delay_ms: 20, latency_ms: 20, callback_batch: 20 });
    const name = `kill_${Math.random().toString(36).slice(2)}`;
    const template = await this.api.post<{ template_id: string }>('/api/v1/templates/create', {
      name,
      category: 'UTILITY',
      body: { text: 'Your parcel is on its way' },
    });
    await until('the template is approved', async () => {
      const { body } = await this.api.get<{ template: { status: string } }>(
        `/api/v1/templates/${template.body.template_id}`,
      );
      if (body.template?.status === 'APPROVED') return true;
      await pause(POLL_MS);
      return false;
    });
    this.phones = Array.from({ length: recipients }, (_, index) => String(FIRST_PHONE + index));
    const contacts = this.phones.map((phone) => ({ phone }));
    const created = await this.api.post<{ campaign_id: string }>('/api/v1/campaigns/', {
      name: 'Parcels',
      template_name: name,
      contacts,
    });
    if (created.status !== 200) throw new Error(`the campaign was not created: ${created.status} ${created.text}`);
    this.campaignId = created.body.campaign_id;
    const { status, text } = await this.api.post(`/api/v1/campaigns/${this.campaignId}/send`);
    if (status !== 202) throw new Error(`the campaign was not sent: ${status} ${text}`);
  }

  /** Waits until the network has accepted `count` messages. */
  async untilAccepted(count: number): Promise<void> {
    await until(`${count} are accepted`, async () => (await this.ledger()).length >= count);
  }

  ledger(): Promise<LedgerEntry[]> {
    const [phone] = this.sandbox.business_phones;
    if (phone === undefined) throw new Error('the sandbox has a phone');
    return this.simulator.ledger(phone.phone_number_id);
  }

  /** Waits until the campaign is completed, every outcome is known and every report has arrived. */
  async settled(): Promise<RowCounts> {
    return until('everything is settled', async () => {
      const counts = await this.rows();
      // The report of a message may come when its outcome has been given up.
      const { length: accepted } = await this.ledger();
      const done =
        counts.open === 0 && counts.unsettled === 0 && counts.read === counts.sent && counts.read >= accepted;
      const [campaign] = await this.query<{ status: string }>('SELECT status FROM campaigns WHERE id = $1', [
        this.campaignId,
      ]);
      return done && campaign?.status === 'completed' ? counts : null;
    });
  }

  /** Counts rows, independently of the campaign's counters. */
  async rows(): Promise<RowCounts> {
    const [row] = await this.query<RowCounts>(
      `SELECT count(*) FILTER (WHERE r.state = 'pending')::int AS open,
              count(*) FILTER (WHERE m.accepted_at IS NOT NULL OR m.sent_at IS NOT NULL OR m.delivered_at IS NOT NULL
                                     OR m.read_at IS NOT NULL)::int AS sent,
              count(*) FILTER (WHERE m.delivered_at IS NOT NULL OR m.read_at IS NOT NULL)::int AS delivered,
              count(*) FILTER (WHERE m.read_at IS NOT NULL)::int AS read,
              count(*) FILTER (WHERE m.status = 'failed')::int AS failed,
              count(*) FILTER (WHERE m.seen = 0)::int AS unsettled
       FROM campaign_recipients r LEFT JOIN messages m ON m.account_id = r.account_id AND m.id = r.message_id
       WHERE r.campaign_id = $1`,
      [this.campaignId],
    );
    if (row === undefined) throw new Error('no counts');
    return row;
  }

  /** Phone numbers of failed recipients, with their error codes. */
  failed(): Promise<{ phone: string; error_code: number }[]> {
    return this.query(
      `SELECT c.phone_number AS phone, m.error_code
       FROM messages m JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
       WHERE m.campaign_id = $1 AND m.status = 'failed'`,
      [this.campaignId],
    );
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
}
