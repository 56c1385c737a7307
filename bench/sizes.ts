import { MANIFEST } from '../src/rooms.js';
import 'reflect-metadata';
import pg from 'pg';
import { reportRetention, type TableReport } from '../src/upkeep/retention-report.js';
import { postCallbacks, report, type SentMessage } from './support/callbacks.js';
import { runCampaign, storeTemplate } from './support/campaign-run.js';
import { Sink } from './support/sink.js';
import { authorizationOf, type BenchAccount, post, Stack } from './support/stack.js';

// Disk space per message and table: campaigns whose messages are sent, delivered, read and sometimes answered, with a
// webhook for each event. The service itself writes all rows. docs/retention.md has the results.

const CAMPAIGNS = Number(process.env['BENCH_CAMPAIGNS'] ?? 10);
const RECIPIENTS = Number(process.env['BENCH_RECIPIENTS'] ?? 10_000);
const MESSAGES_PER_CONTACT = 4;
const MESSAGES_PER_ANSWER = 20;
/** The projected volume. */
const MESSAGES_PER_MONTH = 1_000_000;
/** Tables projected for one month: their rows expire after 30 days, or the contacts are the same every month. */
const ONE_MONTH = new Set(['events', 'webhook_deliveries', 'webhook_attempts', 'contacts', 'conversations']);
const FIRST_PHONE = 4_915_100_000_000;
const BODY =
  'Hello! Your order has left our warehouse and will be with you within two working days. You can follow it on our ' +
  'website, and answer here at any time.';

async function bench(): Promise<void> {
  const [sink, receiver] = [await Sink.start(), await Sink.start()];
  const stack = await Stack.start({ NETWORK_BASE_URL: sink.url });
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    const account = await stack.account();
    await storeTemplate(stack, account, 'bench', BODY);
    await post(`${stack.baseUrl}/api/v1/webhooks/`, { url: `${receiver.url}/hook` }, authorizationOf(account));
    const before = await measure(stack, client);
    const contacts = Math.ceil((CAMPAIGNS * RECIPIENTS) / MESSAGES_PER_CONTACT);
    for (let campaign = 0; campaign < CAMPAIGNS; campaign += 1) {
      const firstPhone = FIRST_PHONE + ((campaign * RECIPIENTS) % Math.max(contacts - RECIPIENTS + 1, 1));
      await runCampaign(stack, sink, account, { template: 'bench', recipients: RECIPIENTS, firstPhone });
      await reportAndAnswer(stack, account, client);
    }
    await idle(client);
    print(before, await measure(stack, client));
  } finally {
    await client.end();
    await stack.stop();
    sink.stop();
    receiver.stop();
  }
}

/** Reports the messages of the latest campaign, and answers some of them. */
async function reportAndAnswer(stack: Stack, account: BenchAccount, client: pg.Client): Promise<void> {
  const { rows } = await client.query<SentMessage & { phone_number: string }>(
    `SELECT m.id, m.network_message_id, c.phone_number FROM messages m
     JOIN contacts c ON c.account_id = m.account_id AND c.id = m.contact_id
     WHERE m.account_id = $1 AND m.campaign_id = (SELECT id FROM campaigns WHERE account_id = $1 ORDER BY id DESC LIMIT 1)`,
    [account.accountId],
  );
  await report(stack, account, rows);
  const answers = rows
    .filter((_, index) => index % MESSAGES_PER_ANSWER === 0)
    .map(({ network_message_id, phone_number }) => ({
      from: phone_number,
      id: `${network_message_id}answer`,
      timestamp: String(Math.floor(Date.now() / 1000)),
      type: 'text',
      text: { body: 'Thank you! Could you leave it with the neighbours if I am out?' },
      context: { from: '15550000001', id: network_message_id },
    }));
  await postCallbacks(stack, account, 'messages', answers);
}

/** Waits until all events are delivered and all counters are folded. */
async function idle(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `SELECT 1 FROM outbox UNION ALL SELECT 1 FROM webhook_deliveries WHERE status = 'pending'
       UNION ALL SELECT 1 FROM counter_changes UNION ALL SELECT 1 FROM sends_in_flight LIMIT 1`,
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function measure(stack: Stack, client: pg.Client): Promise<Map<string, TableReport>> {
  await client.query('VACUUM ANALYZE');
  const reports = await reportRetention(
    { retentionDays: 30, messageRetentionDays: 0, auditRetentionDays: 365, mediaRetentionDays: 365 },
    MANIFEST,
    stack.unitOfWork.autocommit,
  );
  return new Map(reports.map((each) => [each.table, each]));
}

function print(before: ReadonlyMap<string, TableReport>, after: ReadonlyMap<string, TableReport>): void {
  const messages = CAMPAIGNS * RECIPIENTS;
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1);
  console.log(`${messages.toLocaleString('en-US')} messages of ${BODY.length} characters; bytes with indexes`);
  console.log(
    '| Table | Rows per message | Bytes per row | Bytes per message | After a year at 1,000,000 a month, GB |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: |');
  let total = 0;
  for (const [table, { rows, bytes }] of after) {
    const [newRows, newBytes] = [rows - (before.get(table)?.rows ?? 0), bytes - (before.get(table)?.bytes ?? 0)];
    if (newRows < messages / 1000) continue;
    const perMessage = newBytes / messages;
    const perYear = perMessage * MESSAGES_PER_MONTH * (ONE_MONTH.has(table) ? 1 : 12);
    total += perYear;
    const cells = [newRows / messages, newBytes / newRows, perMessage].map((each, at) =>
      each.toFixed(at === 0 ? 2 : 0),
    );
    console.log(`| \`${table}\` | ${cells.join(' | ')} | ${gigabytes(perYear)} |`);
  }
  console.log(`| all | | | | ${gigabytes(total)} |`);
}

await bench();
