import type { ContactResponse, ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import { Contact } from '../../src/people/contact.entity.js';
import { spellingsOf } from '../../src/values/number-key.js';
import { newRecordId } from '../../src/values/record-id.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const PATH = '/api/v1/contacts/';

const create = async (fields: Record<string, unknown>): Promise<string> => {
  const { status, body } = await account.api.post<ContactResponse>(PATH, {
    phone_number: uniquePhone(),
    first_name: 'Grace',
    ...fields,
  });
  expect(status).toBe(201);
  return body.contact.id;
};
/** Creates a contact with fields that only the network sets. */
const insert = async (fields: Partial<Contact>): Promise<string> => {
  const id = newRecordId();
  const person = { accountId: account.accountId, id, firstName: 'Grace', source: 'inbound' as const };
  await world.unitOfWork.autocommit.manager.insert(Contact, { ...person, ...fields });
  return id;
};
/** Ids of the contacts that a search finds. */
const found = async (search: string): Promise<string[]> => {
  const response = await account.api.get<ContactsResponse>(`${PATH}?search=${encodeURIComponent(search)}`);
  expect(response.status).toBe(200);
  expect(response.body.total).toBe(response.body.contacts.length);
  return response.body.contacts.map(({ id }) => id);
};

describe('a search ignores', () => {
  beforeEach(() => create({ first_name: 'Somebody', last_name: 'Else' }));

  it.each([
    ['Jürgen Müller', ['jurgen', 'MULLER', 'Mu\u0308ller', 'ju\u0308r', 'müller', 'n mü', 'JU\u0308RGEN M\u00dc']],
    ['Mu\u0308ller', ['Müller', 'muller', 'MU\u0308LL']],
    ['Ðorđe Łukasz Ørsted', ['lukasz', 'orsted', 'ØRSTED', 'dorde', 'Đorđe']],
    ['Weiß Æon Œuvre', ['weiss', 'WEISS', 'weiß', 'WEIẞ', 'aeon', 'oeuvre']],
    ['İsmail IŞIK Yıldız', ['ismail', 'İSMAİL', 'ışık', 'isik', 'YILDIZ', 'yildiz']],
    ['Σίσυφος', ['σισυφος', 'ΣΊΣΥΦΟΣ', 'ΣΙΣΥΦΟΣ', 'ίσ']],
    ['Семён Королёв', ['семен', 'СЕМЁН', 'королев']],
    ['Nguyễn Thị Hồng', ['nguyen', 'thi hong', 'HỒNG']],
    ['مُحَمَّد أحمد', ['محمد', 'احمد', 'أحمد', 'مُحَمَّد']],
    ['שָׁלוֹם כהן', ['שלום', 'שָׁלוֹם', 'כהן']],
    ['王小明', ['王', '小明', '王小明']],
    ['김민수', ['김', '민수', '김민수'.normalize('NFD')]],
    ['ガガーリン', ['ガガ', 'ｶﾞｶﾞｰﾘﾝ', 'カ\u3099']],
    ['Ａｄａ 𝓛𝓸𝓿𝓮', ['ada', 'love', 'ＡＤＡ']],
    ['Zoë 😀 ❤️', ['😀', '❤', 'zoe 😀', '❤️']],
    ['O’Brien', ["o'brien", 'O’BRIEN', 'O‘Brien']],
    ['Smith–Jones', ['smith-jones', 'Smith—Jones']],
    ['\u200eRTL\u200f Name\u00ad', ['rtl name', '\u202aRTL\u202c', '\ufeffname']],
  ])('case and accents in %j', async (name, searches) => {
    const id = await create({ first_name: name });
    for (const search of searches) expect([search, await found(search)]).toEqual([search, [id]]);
  });

  it('letters of their own: が is not か, 각 is not 가, and ф is not в', async () => {
    await create({ first_name: 'か 각 в' });
    for (const search of ['が', '가', 'ф']) expect([search, await found(search)]).toEqual([search, []]);
  });

  it('blanks at its ends, and how many and which are between words', async () => {
    const id = await create({ first_name: 'Ada  Maria', last_name: 'van\u00a0der\tBerg' });
    for (const search of [
      'ada ',
      ' Ada',
      '\tberg\n',
      'Ada Maria',
      'ada   maria',
      'maria\u2003van der berg',
      'n\n\nder',
    ]) {
      expect([search, await found(search)]).toEqual([search, [id]]);
    }
    expect(await found('AdaMaria')).toEqual([]);
  });

  it('everything, if it is blank: all contacts are listed', async () => {
    for (const search of ['', ' ', ' \t\n', '\u00a0', '\u200e', '\u0301']) expect(await found(search)).toHaveLength(1);
  });
});

describe('a search for a number', () => {
  const NUMBER = '4915177712345';
  beforeEach(() => create({ phone_number: '4917733344455', first_name: 'Number', last_name: '1-2' }));

  it.each([
    '+49 151 777',
    '+49 151 777 ',
    '+49-151-777-12345',
    '+49 (0)151 777 12345',
    '+49 ( 0 ) 151/777',
    '0049 151 777',
    '004915177712345',
    '(0151) 777',
    '0151 777',
    '0151/777.123-45',
    '01517771',
    '49-151',
    '151 777',
    '[151] 777',
    '1 5 1',
    '+4915',
    'tel:+4915177712345',
    "'+49151777",
    '\u202a+49 151 777\u202c',
    '+49\u00a0151\u2011777',
    '＋４９　１５１',
    '٠١٥١ ٧٧٧',
    '15177712345',
  ])('ignores punctuation: %j', async (search) => {
    const id = await create({ phone_number: NUMBER });
    expect(await found(search)).toEqual([id]);
  });

  it('finds a beginning after +, however short', async () => {
    const id = await create({ phone_number: '33612345678' });
    expect(await found('+33')).toEqual(expect.arrayContaining([id]));
  });

  it('still finds texts: 1-2 is not 12', async () => {
    await create({ phone_number: NUMBER });
    const [id] = await found('Number');
    expect(await found('1-2')).toEqual([id]);
    const taxi = await create({ first_name: 'Taxi 24/7', phone_number: '4915199999999' });
    expect(await found('24/7')).toEqual([taxi]);
    expect(await found('+49 x')).toEqual([]);
    expect(await found('151 777 a')).toEqual([]);
  });

  it('compares digits with numbers only, not with names and emails', async () => {
    await create({ first_name: '4', last_name: '915', email: 'a8765432@example.com' });
    expect(await found('876-5432')).toEqual([]);
    expect(await found('8765432')).toHaveLength(1);
  });

  it.each(['525512345678', '541123456789', '551187654321', '22997123456'])(
    'finds all spellings of %s, whole and in part, however it is stored',
    async (key) => {
      const spellings = spellingsOf(key);
      expect(spellings).toHaveLength(2);
      for (const stored of spellings) {
        account = await world.account();
        const id = await insert({ phoneNumber: stored });
        for (const search of spellings.flatMap((one) => [
          one,
          `+${one.slice(0, 2)} ${one.slice(2)}`,
          one.slice(0, -3),
        ])) {
          expect([stored, search, await found(search)]).toEqual([stored, search, [id]]);
        }
      }
    },
  );

  it('finds the number by which the network knows the person', async () => {
    const id = await insert({ phoneNumber: '22507123456', waId: '2250707123456' });
    expect(await found('2250707123456')).toEqual([id]);
    expect(await found('+225 07 07 123')).toEqual([id]);
  });
});

describe('a search finds', () => {
  it('usernames and user ids, whole and in part, in any case', async () => {
    const userId = `US.${uniqueDigits()}`;
    const id = await insert({ userId, username: 'Ada.Lind_grove' });
    await insert({ userId: `DE.${uniqueDigits()}`, username: 'adalindXgrove' });
    for (const search of ['ada.lind_', 'LIND_GROVE', userId, userId.toLowerCase(), userId.slice(3), ` ${userId} `]) {
      expect([search, await found(search)]).toEqual([search, [id]]);
    }
  });

  it('a contact under what it was changed to, and no more under what it was', async () => {
    const id = await create({ first_name: 'Zoé' });
    await account.api.patch(`${PATH}${id}`, { first_name: 'Chloë', phone_number: '4915177700000' });
    expect(await found('zoe')).toEqual([]);
    expect(await found('chloe')).toEqual([id]);
    expect(await found('0151 777 00000')).toEqual([id]);
  });

  it('no deleted contact', async () => {
    const id = await create({ first_name: 'Zoé', phone_number: '4915177700000' });
    await account.api.delete(`${PATH}${id}`);
    for (const search of ['zoe', '+49 151 777', 'z']) expect(await found(search)).toEqual([]);
  });

  it('no contact of another account', async () => {
    await create({ first_name: 'Zoé', phone_number: '4915177700000' });
    account = await world.account();
    for (const search of ['zoe', '+49 151 777', 'z']) expect(await found(search)).toEqual([]);
  });

  it('nothing for what PostgreSQL could take for a pattern, and answers 200', async () => {
    await create({ first_name: 'Ada' });
    for (const search of ['%', '_', '\\', 'A%a', 'A_a', '%%%', '\\\\', '[ad]', '.*', '\u001e\u0001']) {
      expect([search, await found(search)]).toEqual([search, []]);
    }
  });

  it('nothing for half a character, and answers 200', async () => {
    await create({ first_name: 'Ada 😀' });
    for (const half of ['%ED%A0%BD', '%F0%9F', '%ED%B8%80%ED%A0%BD']) {
      const { status } = await account.api.get(`${PATH}?search=Ada${half}`);
      expect([half, status]).toEqual([half, 200]);
    }
  });

  it('the longest search, of the costliest characters', async () => {
    const id = await create({ first_name: 'ﷺ'.repeat(20) });
    expect(await found('ﷺ'.repeat(20))).toEqual([id]);
    expect(await found('ﷺ'.repeat(256))).toEqual([]);
    expect(await found('1 '.repeat(128))).toEqual([]);
    expect(await found('0'.repeat(256))).toEqual([]);
  });
});
