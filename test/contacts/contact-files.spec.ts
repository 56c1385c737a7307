import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import type { ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import type { ImportResponse } from '../../src/contacts/dto/import-response.dto.js';
import { MIB } from '../../src/http/accepted-body.js';
import { crowdOf } from '../support/crowd.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const PATH = '/api/v1/contacts/import';
const upload = (raw: string | Uint8Array, type = 'text/csv') =>
  account.api.post<ImportResponse>(PATH, undefined, { raw, headers: { 'content-type': type } });
const form = (...files: (string | Blob)[]) => {
  const data = new FormData();
  data.append('note', 'a field that is no file');
  for (const file of files) data.append('file', new Blob([file], { type: 'text/csv' }), 'contacts.csv');
  return data;
};
const post = async (data: FormData) => {
  const written = new Response(data);
  return upload(new Uint8Array(await written.arrayBuffer()), written.headers.get('content-type') ?? '');
};
const contacts = async () => {
  const { body } = await account.api.get<ContactsResponse>('/api/v1/contacts/?limit=100');
  return new Map(body.contacts.map((contact): [string, ContactRecord] => [contact.phone_number ?? '', contact]));
};
const create = async (fields: Record<string, unknown> = {}) => {
  const { body } = await account.api.post('/api/v1/contacts/', {
    phone_number: uniquePhone(),
    first_name: 'Ada',
    ...fields,
  });
  return body.contact as ContactRecord & { phone_number: string };
};
const changedNothing = async () => expect((await contacts()).size).toBe(0);

describe('import contacts from CSV', () => {
  it('answers 200 with status, message, created, updated, failed and errors by line', async () => {
    const [known, fresh] = [await create(), uniquePhone()];
    const file = [
      'phone_number,first_name,last_name,email,company,tags',
      `+${fresh},Grace,Harbour,grace@example.com,"Navy, US","vip,cobol"`,
      `${known.phone_number},Augusta,,,,`,
      'banana,Nobody,,,,',
      `${uniquePhone()},Nobody,,nobody,,`,
    ];
    const { status, body } = await upload(file.join('\r\n'));
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: 'Contacts imported: 1 created, 1 updated, 2 failed',
      created: 1,
      updated: 1,
      failed: 2,
      errors: [
        { line: 4, phone_number: 'banana', error: 'phone_number is not a possible phone number with country code' },
        { line: 5, phone_number: expect.any(String), error: 'email must be an email address' },
      ],
    } satisfies ImportResponse);
    const stored = await contacts();
    expect(stored.get(known.phone_number)).toEqual({ ...known, first_name: 'Augusta' });
    expect(stored.get(fresh)).toMatchObject({
      first_name: 'Grace',
      last_name: 'Harbour',
      email: 'grace@example.com',
      company: 'Navy, US',
      tags: ['vip', 'cobol'],
      opted_in: true,
      source: 'import',
    });
    expect(stored.size).toBe(2);
  });

  it('accepts multipart/form-data with one file', async () => {
    const phone = uniquePhone();
    expect(await post(form(`first_name;phone_number\nÅsa;${phone}\n`))).toMatchObject({
      status: 200,
      body: { created: 1 },
    });
    expect((await contacts()).get(phone)).toMatchObject({ first_name: 'Åsa' });
  });

  it('accepts a byte order mark, semicolons and quotes', async () => {
    const phone = uniquePhone();
    const { body } = await upload(
      `\ufeff"phone_number";"first_name";"company"\r\n"${phone}";"Ada ""A""";"two\nlines"\r\n`,
    );
    expect(body).toMatchObject({ created: 1, failed: 0 });
    expect((await contacts()).get(phone)).toMatchObject({ first_name: 'Ada "A"', company: 'two\nlines' });
  });

  it('keeps the value for an empty cell, and ignores read-only columns', async () => {
    const known = await create({ last_name: 'L', email: 'a@example.com', company: 'C', tags: ['t'] });
    await account.api.patch(`/api/v1/contacts/${known.id}`, { opted_in: false });
    await upload(
      `id,phone_number,first_name,last_name,email,company,tags,opted_in,source,created_at,other
       x,${known.phone_number},,,,,,,inbound,2001-01-01T00:00:00.000Z,y`,
    );
    expect((await contacts()).get(known.phone_number)).toEqual({ ...known, opted_in: false });
  });

  it('sets consent from the file', async () => {
    const known = await create();
    await upload(`phone_number,opted_in\n${known.phone_number},false\n`);
    expect((await contacts()).get(known.phone_number)).toEqual({ ...known, opted_in: false });
  });

  it('merges rows of the same number; later values win', async () => {
    const phone = uniquePhone();
    const file = `phone_number,first_name,company\n${phone},Ada,\n+${phone},,Engines\n00${phone},Augusta,\n`;
    expect((await upload(file)).body).toMatchObject({ created: 1, updated: 2, failed: 0 });
    expect((await contacts()).get(phone)).toMatchObject({ first_name: 'Augusta', company: 'Engines' });
  });

  it('reports a new contact without a first name as failed', async () => {
    const [known, phone] = [await create(), uniquePhone()];
    const { body } = await upload(`phone_number,company\n${known.phone_number},Engines\n+${phone},Engines\n`);
    expect(body).toMatchObject({
      created: 0,
      updated: 1,
      errors: [{ line: 3, phone_number: `+${phone}`, error: 'first_name is required for a new contact' }],
    });
    expect([...(await contacts()).keys()]).toEqual([known.phone_number]);
  });

  it('revives a deleted contact under its id, with its consent and without its groups', async () => {
    const known = await create();
    await account.api.patch(`/api/v1/contacts/${known.id}`, { opted_in: false });
    await account.api.post('/api/v1/groups/', { name: 'VIP', contact_ids: [known.id] });
    await account.api.delete(`/api/v1/contacts/${known.id}`);
    expect((await upload(`phone_number\n${known.phone_number}\n`)).body).toMatchObject({ updated: 1, failed: 0 });
    expect((await contacts()).get(known.phone_number)).toEqual({ ...known, opted_in: false });
    expect((await account.api.get('/api/v1/groups/')).body.groups).toMatchObject([{ contact_count: 0 }]);
  });

  it('accepts a file with only a header', async () => {
    expect((await upload('phone_number,first_name\n')).body).toMatchObject({ created: 0, updated: 0, failed: 0 });
  });

  it.each([
    ['a quote in its header that is not closed', (good: string) => `"${good}`, 'the header is not valid CSV'],
    ['no phone_number column', (good: string) => good.replace('phone_number', 'mobile'), 'phone_number'],
    ['nothing in it', () => '\n', 'the file is empty'],
    ['too many rows', (good: string) => good + 'x,y\n'.repeat(100_000), 'at most 100000 rows'],
  ])('rejects a file with %s (400) and changes nothing', async (_, broken, message) => {
    const file = broken(`phone_number,first_name\n${uniquePhone()},Ada\n`);
    const { status, body } = await upload(file);
    expect(status).toBe(400);
    expect(body).toEqual({ error: 'bad_request', message: expect.stringContaining(message) });
    await changedNothing();
  });

  it('rejects a truncated form and one without a file or with two (400)', async () => {
    const file = `phone_number,first_name\n${uniquePhone()},Ada\n`;
    const type = 'multipart/form-data; boundary=xyz';
    const cut = `--xyz\r\nContent-Disposition: form-data; name="file"; filename="c.csv"\r\nContent-Type: text/csv\r\n\r\n${file}`;
    expect(await upload(cut, type)).toMatchObject({ status: 400, body: { error: 'bad_request' } });
    expect(await upload(cut, 'multipart/form-data')).toMatchObject({ status: 400 });
    expect(await post(form())).toMatchObject({ status: 400, body: { message: expect.stringContaining('CSV file') } });
    expect(await post(form(file, file))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('one file') },
    });
    await changedNothing();
  });

  it.each(['application/json', 'text/plain', 'text/csv; charset=koi8-r'])('rejects %s (415)', async (type) => {
    const response = await upload('{}', type);
    expect(response).toMatchObject({ status: 415, body: { error: 'unsupported_media_type' } });
  });

  it('rejects a body over 64 MiB (413)', async () => {
    const chunk = Buffer.from('x'.repeat(MIB));
    const stream = () => {
      let left = 70;
      return new ReadableStream({
        pull: (controller) => {
          left -= 1;
          if (left < 0) controller.close();
          else controller.enqueue(chunk);
        },
      });
    };
    const refused = await until('the body is refused, and not the request', async () => {
      const response = await fetch(world.baseUrl + PATH, {
        method: 'POST',
        headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'text/csv' },
        body: stream(),
        duplex: 'half',
      } as RequestInit);
      return response.status !== 503 && { status: response.status, body: await response.json() };
    });
    expect(refused).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
    await changedNothing();
  });

  it.each([
    ['too large a file', 'text/csv', Array.from({ length: 70 }, () => 'x'.repeat(MIB)), 413],
    [
      'a broken form',
      'multipart/form-data; boundary=b',
      ['--b\r\nno header\r\n', ...Array(20).fill('x'.repeat(MIB))],
      400,
    ],
  ])('keeps the connection of %s usable for the next request', async (_, type, chunks, status) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = async (path: string, method: string, headers: Record<string, string> = {}, body: string[] = []) => {
      const call = request(world.baseUrl + path, {
        agent,
        method,
        signal: AbortSignal.timeout(60_000),
        headers: { authorization: `Bearer ${account.apiKey}`, ...headers },
      });
      const sent = pipeline(Readable.from(body), call);
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      answer.resume();
      await Promise.all([sent, once(answer, 'end')]);
      return { status: answer.statusCode, reused: call.reusedSocket };
    };
    try {
      const refused = await until('the body is refused, and not the request', async () => {
        const answer = await send(PATH, 'POST', { 'content-type': type }, chunks);
        return answer.status !== 503 && answer;
      });
      expect(refused).toMatchObject({ status });
      expect(await send('/health/live', 'GET')).toEqual({ status: 200, reused: true });
    } finally {
      agent.destroy();
    }
  });

  it('neither deadlocks nor duplicates when imports and requests race for the same numbers', async () => {
    const phones = Array.from({ length: 200 }, () => uniquePhone());
    const file = (order: string[]) => `phone_number,first_name\n${order.map((phone) => `${phone},Ada`).join('\n')}`;
    const answers = await Promise.all([
      upload(file(phones)),
      upload(file(phones.toReversed())),
      upload(file(phones.toSorted())),
      crowdOf(phones.slice(0, 20), (phone_number) =>
        account.api.post('/api/v1/contacts/', { phone_number, first_name: 'Eve' }),
      ),
    ]);
    expect(answers.flat().filter(({ status }) => ![200, 201, 409].includes(status))).toEqual([]);
    expect((await account.api.get('/api/v1/contacts/')).body.total).toBe(200);
  });

  it('requires contacts:write (403)', async () => {
    account = await world.account({ scopes: ['contacts:read'] });
    expect(await upload('phone_number\n')).toMatchObject({ status: 403 });
  });
});

describe('export contacts to CSV', () => {
  it('has the contact’s field names as columns and a line for each contact, oldest first', async () => {
    const first = await create({ last_name: 'Love "lace"', email: 'a@example.com', company: 'A, B', tags: ['x', 'y'] });
    const second = await create({ first_name: '=1+1' });
    const third = await create({ first_name: 'Anna;=1+1', last_name: '＝2', company: 'A\n@x', tags: ['-a', '+b'] });
    const deleted = await create();
    await account.api.delete(`/api/v1/contacts/${deleted.id}`);
    const { status, headers, text } = await account.api.get('/api/v1/contacts/export');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="contacts.csv"');
    expect(text.split(/\n(?!')/)).toEqual([
      'id,first_name,last_name,phone_number,email,company,tags,opted_in,source,created_at',
      `${first.id},Ada,"Love ""lace""",${first.phone_number},a@example.com,"A, B","x,y",true,api,${first.created_at}`,
      `${second.id},'=1+1,,${second.phone_number},,,,true,api,${second.created_at}`,
      `${third.id},"Anna;'=1+1",'＝2,${third.phone_number},,"A\n'@x","'-a,'+b",true,api,${third.created_at}`,
      '',
    ]);
  });

  /** As the bytes arrive: readers of text take the mark away. */
  const bytesOf = async (query = ''): Promise<Buffer> => {
    const headers = { authorization: `Bearer ${account.api.apiKey}` };
    return Buffer.from(
      await (await fetch(`${world.baseUrl}/api/v1/contacts/export${query}`, { headers })).arrayBuffer(),
    );
  };
  const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

  it('leaves the mark out on demand', async () => {
    const marked = await bytesOf('?bom=true');
    expect(marked.subarray(0, 3)).toEqual(MARK);
    expect(await bytesOf('?bom=false')).toEqual(marked.subarray(3));
    expect((await account.api.get('/api/v1/contacts/export?bom=no')).status).toBe(400);
  });

  it('answers HEAD with the headers alone', async () => {
    const { status, headers, text } = await account.api.request('HEAD', '/api/v1/contacts/export');
    expect({ status, text }).toEqual({ status: 200, text: '' });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  });

  it('is only a header for an account without contacts', async () => {
    const { text } = await account.api.get('/api/v1/contacts/export');
    expect(text.split('\n')).toHaveLength(2);
  });

  it('can be imported into another account unchanged', async () => {
    await create({ last_name: "'=x", company: 'two\nlines', tags: ['a,b', ' c'] });
    await create({ first_name: '@SUM', email: 'b@example.com' });
    await create({
      first_name: 'Anna;=1+1',
      last_name: "a|'-1",
      company: 'A\t=1\r\n"＠2"',
      tags: ['=1', '\t;+2', "'=3"],
    });
    const { text } = await account.api.get('/api/v1/contacts/export');
    const before = [...(await contacts()).values()];
    account = await world.account();
    expect((await upload(text)).body).toMatchObject({ created: 3, failed: 0 });
    const fields = ({ phone_number, first_name, last_name, email, company, tags }: ContactRecord) => [
      phone_number,
      first_name,
      last_name,
      email,
      company,
      tags,
    ];
    expect([...(await contacts()).values()].map(fields).sort()).toEqual(before.map(fields).sort());
  });

  it('streams more contacts than one statement reads, once each', async () => {
    const phones = Array.from({ length: 4500 }, () => uniquePhone());
    const { body } = await upload(`phone_number,first_name\n${phones.map((phone) => `${phone},Ada`).join('\n')}`);
    expect(body).toMatchObject({ created: 4500 });
    const { text } = await account.api.get('/api/v1/contacts/export');
    const exported = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[3]);
    expect(exported.sort()).toEqual(phones.sort());
  });

  it('requires contacts:read (403)', async () => {
    account = await world.account({ scopes: ['contacts:write'] });
    expect(await account.api.get('/api/v1/contacts/export')).toMatchObject({ status: 403 });
  });
});
