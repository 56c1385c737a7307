import { freshDatabase } from '../support/database.js';
import { uniqueDigits, uniquePhone, World } from '../support/world.js';
import { columnsWith, dumpOf } from './database-dump.js';
import { erase, untilPass } from './erasing.js';

describe('an idempotency key with what a contact is known by', () => {
  let databaseUrl: string;
  let world: World;
  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    world = await World.start({ databaseUrl });
  });
  afterAll(() => world.stop());

  it('becomes a hash when the contact is erased, however it is written, and is replayed', async () => {
    const account = await world.account();
    const phone = uniquePhone();
    const email = `ada${uniqueDigits()}@example.test`;
    const { body } = await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
      phone_number: phone,
      first_name: 'Ada',
      email,
    });
    const split = `+${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5)}`;
    const keys = [`create-${email}`, `K_${email.toUpperCase()}-2026-11-25`, `contact ${split}`, `12-${split}/34`];
    const other = `create-x${email}`;
    const post = (key: string) =>
      account.api.post('/api/v1/groups/', { name: `of ${keys.indexOf(key)}` }, { headers: { 'idempotency-key': key } });
    for (const key of [...keys, other]) expect((await post(key)).status).toBe(201);
    await erase(account, body.contact.id);
    await untilPass(world, account, body.contact.id, 1);
    const dump = await dumpOf(databaseUrl);
    expect(keys.filter((key) => columnsWith(dump, [key]).length > 0)).toEqual([]);
    expect(columnsWith(dump, [other])).toEqual(['idempotency_keys.idempotency_key']);
    for (const key of keys) expect((await post(key)).headers.get('idempotency-replayed')).toBe('true');
  });

  it('is taken out of stored answers where it stands in URLs, encoded or not', async () => {
    const account = await world.account();
    const [phone, digits] = [uniquePhone(), uniqueDigits()];
    const email = `jürg${digits}@example.test`;
    const { body } = await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
      phone_number: phone,
      first_name: 'Jürg',
      email,
    });
    const inUrls = [`?q=to%20${phone}`, `?m=j%C3%BCrg${digits}%40example.test`, `?m=j%C3%BCrg${digits}@example.test&x`];
    const names = inUrls.map((part) => `https://shop.example/${part}`);
    const post = (name: string) =>
      account.api.post('/api/v1/groups/', { name }, { headers: { 'idempotency-key': `g-${names.indexOf(name)}` } });
    for (const name of names) expect((await post(name)).text).toContain(name);
    await erase(account, body.contact.id);
    await untilPass(world, account, body.contact.id, 1);
    for (const name of names) {
      const { headers, text } = await post(name);
      expect({ replayed: headers.get('idempotency-replayed'), isNamed: text.includes(name) }).toEqual({
        replayed: 'true',
        isNamed: false,
      });
    }
  });
});
