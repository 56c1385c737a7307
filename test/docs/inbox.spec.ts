import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { enrol } from '../conversations/conversations.js';
import { openWindow, SEND, sentUpstream } from '../messages/messages.js';
import { ROOT, temporaryDirectory } from '../sandbox/program.js';
import { inherited } from '../support/inherited.js';
import { SAMPLES } from '../support/media-samples.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

const page = readFileSync(path.join(ROOT, 'docs/inbox.md'), 'utf8');
const program = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code).join('\n');

/** How long the program may take, milliseconds. */
const PATIENCE_MS = 120_000;

interface Ran {
  readonly output: string;
  readonly errors: string;
}

describe('the inbox of docs/inbox.md', () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'inbox.mjs');
  let world: World;
  let account: TestAccount;
  let contact: string;

  beforeAll(async () => {
    writeFileSync(file, program);
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(async () => {
    await world.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    account = await world.account();
    contact = uniquePhone();
  });

  const inbox = (...given: string[]): Promise<Ran> =>
    new Promise((resolve) => {
      const env = { ...inherited(), PARLEY_URL: world.baseUrl, PARLEY_API_KEY: account.apiKey };
      const options = { cwd: directory, env, timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;
      execFile(process.execPath, [file, ...given], options, (error, output, errors) =>
        resolve({ output, errors: error?.killed ? 'it was killed after a long time' : errors }),
      );
    });
  const said = async (...given: string[]): Promise<string> => {
    const { output, errors } = await inbox(...given);
    expect(errors).toBe('');
    return output;
  };
  const write = (more: Record<string, unknown> = {}) => openWindow(world, account.phone, contact, more);
  const lastSent = async () => (await sentUpstream(world, account.phone)).at(-1);

  it('lists who waits, until they are answered', async () => {
    expect(await said('waiting')).toBe('nobody waits\n');
    await write({ text: 'Where is my parcel?' });
    const line = new RegExp(`^${contact}  .*  “Where is my parcel\\?”  since \\d{4}-.*, with nobody\n$`);
    expect(await said('waiting')).toMatch(line);
    expect(await said('answer', contact, 'On', 'its', 'way')).toMatch(/^sent [0-9a-f-]{36}\n$/);
    expect(await lastSent()).toMatchObject({ to: `+${contact}`, text: { body: 'On its way' } });
    expect(await said('waiting')).toBe('nobody waits\n');
  });

  it('shows a thread with templates, media, reactions, notes and changes', async () => {
    const { name } = await approvedTemplate(world, account, {
      header: { format: 'TEXT', text: 'Order 4711' },
      buttons: [{ type: 'QUICK_REPLY', text: 'Stop' }],
    });
    await account.api.post(SEND, { template_name: name, contact_phone: contact });
    const media = { bytes_base64: SAMPLES.JPEG.toString('base64'), mime_type: 'image/jpeg', caption: 'Like this' };
    const network = await write({ type: 'image', text: undefined, media });
    const agent = await enrol(world, account, 'Ada Lorenzen');
    expect(await said('take', contact, 'Ada Lorenzen')).toBe(`Ada Lorenzen has ${contact}\n`);
    await account.api.post(`/api/v1/conversations/${contact}/notes`, { text: 'Knows us' });
    const { body } = await account.api.get<{ messages: { message_id: string; network_message_id: string }[] }>(
      '/api/v1/messages/',
    );
    const id = body.messages.find((each) => each.network_message_id === network)?.message_id ?? '';
    expect(await said('react', contact, id, '👍')).toMatch(/^reacted /);
    const shown = await until('the file is stored', async () => {
      const output = await said('show', contact);
      return output.includes('image/jpeg') && output;
    });
    expect(shown.split('\n')).toEqual([
      expect.stringMatching(/> Order 4711 {2}Hello from the test {2}\[Stop\] {2}\(.*\) {2}[0-9a-f-]{36}$/),
      expect.stringContaining(`< Like this  [image/jpeg /api/v1/messages/${id}/media]  👍  ${id}`),
      expect.stringContaining('-- assigned: Ada Lorenzen'),
      expect.stringMatching(/\(.*: Knows us\)$/),
      '',
    ]);
    expect(await said('save', id, 'picture.jpg')).toBe('picture.jpg: image/jpeg\n');
    expect(readFileSync(path.join(directory, 'picture.jpg'))).toEqual(SAMPLES.JPEG);
    expect(await said('react', contact, id)).toMatch(/^reacted /);
    expect(await said('show', contact)).not.toContain('👍');
    expect(agent).toEqual(expect.anything());
  });

  it('marks as read, takes a conversation only once, and resolves it', async () => {
    const network_message_id = await write();
    expect(await said('read', contact)).toMatch(/^read up to [0-9a-f-]{36}\n$/);
    expect(await lastSent()).toMatchObject({
      status: 'read',
      message_id: network_message_id,
      typing_indicator: { type: 'text' },
    });
    await enrol(world, account, 'Ada Lorenzen');
    await enrol(world, account, 'Bo Winter');
    await said('take', contact, 'Ada Lorenzen');
    expect((await inbox('take', contact, 'Bo Winter')).errors).toMatch(/^409: .*Ada Lorenzen/);
    expect(await said('resolve', contact)).toBe(`${contact} is resolved\n`);
  });

  it('says what is wrong', async () => {
    expect((await inbox('sing')).errors).toBe(
      'the commands are waiting, show, save, read, answer, react, take, resolve\n',
    );
    expect((await inbox('answer', contact, 'Hi')).errors).toMatch(/^403: The 24-hour customer service window/);
  });
});
