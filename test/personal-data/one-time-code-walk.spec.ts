import type { IncomingMessage, ServerResponse } from 'node:http';
import { SEALED_COLUMNS } from '../../src/cli/secret.commands.js';
import { holderOf } from '../../src/database/secrets/sealed-column.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { newRecordId } from '../../src/values/record-id.js';
import { act, draft, pathOf, recipientsOf, untilCampaign } from '../campaigns/campaigns.js';
import { FaultProcess } from '../faults/fault-process.js';
import { SEND } from '../messages/messages.js';
import { serviceEnvironment } from '../operations/service-environment.js';
import { ApiClient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { subscribe } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';
import { columnsWith, dumpOf } from './database-dump.js';

/** What the network does with a message that has a code. */
type Treatment = 'accept' | 'refuse and quote it' | 'break the connection' | 'hold it back';

/** A network that treats each code as a test wants; everything else goes to the simulator. */
class CodeNetwork {
  private readonly treatments = new Map<string, Treatment>();
  private readonly held = new Set<ServerResponse>();
  readonly seen: string[] = [];

  private constructor(private readonly server: LoopbackServer) {}

  static async start(simulatorUrl: () => string): Promise<CodeNetwork> {
    const server = await LoopbackServer.start((request, response) => {
      network.pass(simulatorUrl(), request, response).catch((error) => response.writeHead(500).end(String(error)));
    });
    const network = new CodeNetwork(server);
    return network;
  }

  get url(): string {
    return this.server.url().replace(/\/$/, '');
  }

  get heldBack(): number {
    return this.held.size;
  }

  /** @returns a new code: distinct, and unlikely to occur by chance */
  code(treatment: Treatment = 'accept'): string {
    const code = `QZ${uniqueDigits().slice(-10)}`;
    this.treatments.set(code, treatment);
    return code;
  }

  get codes(): string[] {
    return [...this.treatments.keys()];
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private async pass(simulatorUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const code =
      request.url?.endsWith('/messages') === true ? this.codes.find((each) => body.includes(each)) : undefined;
    if (code !== undefined) this.seen.push(code);
    switch (code === undefined ? 'accept' : this.treatments.get(code)) {
      case 'refuse and quote it':
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { code: 131009, message: `Parameter value is not valid: ${code}` } }));
        return;
      case 'break the connection':
        response.socket?.destroy();
        return;
      case 'hold it back':
        this.held.add(response);
        return;
      default: {
        const answer = await fetch(simulatorUrl + (request.url ?? ''), {
          method: request.method ?? 'GET',
          headers: {
            authorization: request.headers.authorization ?? '',
            'content-type': request.headers['content-type'] ?? 'application/json',
          },
          ...(body.length === 0 ? {} : { body }),
        });
        const text = await answer.text();
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
      }
    }
  }
}

describe('one-time codes', () => {
  let databaseUrl: string;
  let world: World;
  let network: CodeNetwork;
  let receiver: Receiver;
  let account: TestAccount;
  let template: { name: string };
  const processes: FaultProcess[] = [];
  /** Every answer of the API to this account. */
  const answers: string[] = [];

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    receiver = await Receiver.listen();
    network = await CodeNetwork.start(() => world.simulator.url);
    world = await World.start({ databaseUrl, env: { PARLEY_ROLES: 'api' } });
    const owner = await world.account({ credits: 1000 });
    account = { ...owner, api: await serve(owner.apiKey) };
    template = await approvedTemplate(world, account, { category: 'AUTHENTICATION', body: undefined });
    await subscribe(account, { url: receiver.url() });
  });
  afterAll(async () => {
    await FaultProcess.killAll();
    await world.stop();
    await network.stop();
    await receiver.close();
  });

  /** Starts the service as a process of its own, which logs everything. */
  async function serve(apiKey: string): Promise<ApiClient> {
    const env = { LOG_LEVEL: 'trace', NETWORK_BASE_URL: network.url, LEASE_SECONDS: '1', NETWORK_TIMEOUT_MS: '8000' };
    const { process, baseUrl } = await FaultProcess.service(serviceEnvironment(databaseUrl, env));
    processes.push(process);
    return new ApiClient(baseUrl, apiKey);
  }

  /** Posts twice with one Idempotency-Key: the second answer is the stored one. */
  const keyed = async (path: string, body: unknown, status: number): Promise<Record<string, unknown>> => {
    const headers = { 'idempotency-key': newRecordId() };
    const [first, second] = [
      await account.api.post(path, body, { headers }),
      await account.api.post(path, body, { headers }),
    ];
    expect({ path, status: first.status, text: first.text }).toMatchObject({ path, status });
    expect(second.text).toBe(first.text);
    answers.push(first.text, second.text);
    return first.body;
  };
  const read = async (path: string): Promise<string> => {
    const { status, text } = await account.api.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    answers.push(text);
    return text;
  };
  const withCode = (code: string) => ({ phone: uniquePhone(), body_data: { '1': code } });

  /** The columns with a value that decrypts to one of the codes. */
  const sealedColumns = async (): Promise<string[]> => {
    const secrets = world.parley.app.get(SecretBox);
    const found = await Promise.all(
      SEALED_COLUMNS.map(async (sealed) => {
        const { table, column, key, place } = sealed;
        const holder = holderOf(sealed);
        const names = key.map(([name]) => `${name}::text`).join(', ');
        const rows = await world.unitOfWork.autocommit.rows<{ key: string[]; value: string }>(
          `SELECT ARRAY[${names}] AS key, ${holder} AS value FROM ${table} WHERE account_id = $1 AND ${holder} IS NOT NULL`,
          [account.accountId],
        );
        const opened = rows.map((row) => secrets.open(row.value, place(account.accountId, row.key)));
        return opened.some((text) => network.codes.some((code) => text.includes(code))) ? [`${table}.${column}`] : [];
      }),
    );
    return found.flat().sort();
  };
  const plainColumns = async (): Promise<string[]> => columnsWith(await dumpOf(databaseUrl), network.codes);
  const expectUnseen = (text: string): void => {
    expect(network.codes.filter((code) => text.includes(code))).toEqual([]);
  };

  it('are nowhere while they are being sent, except encrypted where a worker needs them, and then nowhere', async () => {
    const { name: template_name } = template;
    const to = () => ({ template_name, contact_phone: uniquePhone() });

    await keyed('/api/v1/templates/preview', { template_name, body_data: { '1': network.code() } }, 200);
    await keyed(SEND, { ...to(), body_data: { '1': network.code() } }, 200);
    await keyed(SEND, { ...to(), body_data: { '1': network.code('refuse and quote it') } }, 400);
    await keyed(SEND, { ...to(), body_data: { '1': network.code('break the connection') } }, 504);
    await keyed(SEND, { ...to(), body_data: { '1': `${network.code()}-too-long` } }, 400);
    await keyed(SEND, { ...to(), body_data: network.code() }, 400);
    await keyed(SEND, { ...to(), body_data: { '1': [network.code()] } }, 400);
    const campaign = { name: 'Codes', template_name };
    await keyed(
      '/api/v1/campaigns/',
      { ...campaign, contacts: [{ phone: uniquePhone(), body_data: { '1': [network.code()] } }] },
      400,
    );
    await keyed('/api/v1/campaigns/', { ...campaign, contacts: [withCode(`${network.code()}-too-long`)] }, 400);

    const contacts = [
      withCode(network.code()),
      withCode(network.code('refuse and quote it')),
      withCode(network.code('break the connection')),
      { phone: uniquePhone() },
    ];
    const shared = network.code();
    const created = await keyed(
      '/api/v1/campaigns/',
      {
        ...campaign,
        contacts,
        body_data: { '1': shared, other: shared },
        header_data: { '1': shared },
        button_params: [{ index: 0, url_param: shared }],
      },
      200,
    );
    const mixed = String(created['campaign_id']);
    const scheduled = await draft(account, template_name, 0, {
      contacts: [withCode(network.code())],
      scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const held = await draft(account, template_name, 0, { contacts: [withCode(network.code('hold it back'))] });
    await act(account, held, 'send');
    await until('the network holds a message back', () => network.heldBack === 1);
    expect(await plainColumns()).toEqual([]);
    expect(await sealedColumns()).toEqual(['campaign_recipients.code', 'campaigns.code']);

    // The worker dies while it waits for the answer, and another process takes over.
    await processes[0]?.kill();
    account = { ...account, api: await serve(account.api.apiKey ?? '') };
    await untilCampaign(account, held, 'completed');
    expect((await act(account, mixed, 'send')).status).toBe(202);
    await untilCampaign(account, mixed, 'completed');
    expect((await act(account, scheduled, 'cancel')).status).toBe(200);
    await until('nothing is left, not even encrypted', async () => (await sealedColumns()).length === 0);
    expect(await plainColumns()).toEqual([]);
    expect(network.seen.filter((code) => code === shared)).toHaveLength(1);
    expect(new Set(network.seen).size).toBe(network.seen.length);

    for (const id of [mixed, scheduled, held]) {
      for (const rest of ['', '/stats', '/recipients', '/recipients.csv']) await read(pathOf(id, rest));
      for (const { contact_id, retryable } of await recipientsOf(account, id)) {
        expect(retryable).toBe(false);
        await read(`/api/v1/contacts/${contact_id}/export`);
      }
    }
    for (const list of ['messages', 'conversations', 'campaigns', 'contacts', 'audit', 'webhooks']) {
      await read(`/api/v1/${list}/?limit=100`);
    }
    expectUnseen(answers.join('\n'));
    await until('events were delivered', () => receiver.received.length > 5);
    expectUnseen(receiver.received.map(({ body }) => body.toString()).join('\n'));
    for (const process of processes) {
      await process.stop();
      expect(process.output).toContain('"msg":"request"');
      expectUnseen(process.output);
    }
  });
});
