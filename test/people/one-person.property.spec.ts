import fc from 'fast-check';
import type { ContactRecord } from '../../src/contacts/dto/contact.dto.js';
import { readNumber } from '../../src/values/written-number.js';
import { preference } from '../consent/consent.js';
import { stateOf } from '../conversations/conversations.js';
import { deliver } from '../inbound/inbound.js';
import { erase } from '../personal-data/erasing.js';
import { crowdOf } from '../support/crowd.js';
import { until } from '../support/until.js';
import { uniqueDigits, World } from '../support/world.js';
import { Crowd, closedTo, TURNS } from './crowd.js';
import { CONTACTS } from './merging.js';
import {
  COUNTRIES,
  type DrawnPerson,
  drawnIn,
  everywhere,
  personIn,
  pick,
  type Writing,
  writingsOf,
} from './spelled-people.js';

// A failure names its seed and path: with both in the options of fc.assert, the same people are drawn again.

let world: World;
let crowd: Crowd;
beforeAll(async () => {
  world = await World.start();
  await world.simulator.behave({ wa_id_rules: ['BR', 'MX', 'AR'] });
});
afterAll(() => world.stop());

/** Draws once. A run takes seconds, so a failure is not made smaller. */
const assert = <Drawn>(drawn: fc.Arbitrary<Drawn>, property: (drawn: Drawn) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(drawn, async (people) => {
      crowd = await Crowd.of(world);
      await property(people);
    }),
    { numRuns: 1, endOnFailure: true },
  );

describe('a number in any spelling', () => {
  it('is read as its person’s', () => {
    fc.assert(
      fc.property(fc.constantFrom(...COUNTRIES).chain(personIn), (person) => {
        const read = ({ text, country }: Writing) => readNumber(text, country).number;
        const wrong = writingsOf(person).filter((writing) => !person.numbers.includes(read(writing) ?? ''));
        expect([person.numbers, wrong]).toEqual([person.numbers, []]);
      }),
      { numRuns: 1000 },
    );
  });
});

const areDifferent = (people: readonly DrawnPerson[]): boolean =>
  new Set(people.map(({ numbers }) => numbers[0])).size === people.length;

/** Expects that all numbers of a person lead to the same thread; returns its messages. */
const threadOf = async (numbers: readonly string[]) => {
  const threads = await Promise.all(numbers.map((number) => crowd.thread(number)));
  for (const thread of threads) expect([numbers, thread]).toEqual([numbers, threads[0]]);
  return threads[0] ?? [];
};
/** Expects that a campaign to all writings reaches each person once. */
const expectOneRecipient = async (people: readonly DrawnPerson[], category = 'UTILITY', reached = people) => {
  const texts = people.flatMap(({ international }) => international);
  const sent = await crowd.broadcast(category, texts, people.length);
  const times = reached.map(({ numbers }) => [numbers, sent.filter((to) => numbers.includes(to)).length]);
  expect(times).toEqual(reached.map(({ numbers }) => [numbers, 1]));
  expect(sent).toHaveLength(reached.length);
};

const found = async (search: string) =>
  (
    await crowd.account.api.get<{ contacts: ContactRecord[] }>(`${CONTACTS}?search=${encodeURIComponent(search)}`)
  ).body.contacts.map(({ id }) => id);

describe('a person of any country', () => {
  it('is one contact, one thread and one recipient, by whatever way and spelling they come', async () => {
    await assert(everywhere, async (people) => {
      let before: Map<string, ContactRecord> | null = null;
      for (let turn = 0; turn < TURNS; turn += 1) {
        await crowd.letIn(people, turn);
        const contacts = await crowd.contactPerPerson(people);
        const ids = [...contacts.values()].map(({ id }) => id);
        if (before !== null) expect(ids).toEqual([...before.values()].map(({ id }) => id));
        before = contacts;
      }
      expect(await crowd.threadCount()).toBe(people.length);
      for (const person of people) {
        const directions = (await threadOf(person.numbers)).map(({ direction }) => direction);
        expect([person.numbers, directions.sort()]).toEqual([person.numbers, ['in', 'out']]);
        for (const search of [0, 1].map((turn) => pick(person.international, person, turn))) {
          expect([search, await found(search)]).toEqual([search, [before?.get(person.numbers[0])?.id]]);
        }
      }
      await expectOneRecipient(people);
    });
  });

  it('is one contact and thread when they come by all ways at once', async () => {
    const some = fc
      .shuffledSubarray([...COUNTRIES], { minLength: 10, maxLength: 10 })
      .chain((countries) => fc.tuple(...(['AR', 'BJ', 'BR', 'MX', ...countries] as const).map(drawnIn)));
    await assert(some, async (people) => {
      await crowd.letInAtOnce(people);
      await crowd.contactPerPerson(people);
      expect(await crowd.threadCount()).toBe(people.length);
      for (const person of people) await threadOf(person.numbers);
    });
  });

  it('is named by every spelling where a contact is named by its number', async () => {
    const spelled = ['AR', 'BJ', 'BR', 'MX'] as const;
    const drawn = fc.tuple(...[...spelled, ...spelled].map(drawnIn)).filter(areDifferent);
    await assert(drawn, async (people) => {
      await crowd.letIn(people, 0);
      await crowdOf(people, (person) => crowd.say('Hello', pick(person.numbers, person, 1)));
      const contacts = await crowd.contactPerPerson(people);
      const { api } = crowd.account;
      for (const [index, person] of people.entries()) {
        const [one, other] = [pick(person.numbers, person, 2), pick(person.numbers, person, 3)];
        expect((await api.post(`/api/v1/conversations/${one}/resolve`, {})).status).toBe(200);
        expect([other, (await stateOf(crowd.account, other)).status]).toEqual([other, 'resolved']);
        const listed = await Promise.all(
          person.numbers.map(async (number) => {
            const { body } = await api.get<{ messages: { message_id: string }[] }>(
              `/api/v1/messages/?contact_phone=${number}`,
            );
            return body.messages.map(({ message_id }) => message_id);
          }),
        );
        expect(listed[0]).not.toEqual([]);
        expect([person.numbers, listed]).toEqual([person.numbers, person.numbers.map(() => listed[0])]);
        const id = contacts.get(person.numbers[0])?.id;
        const stranger = contacts.get(people[(index + 1) % people.length]?.numbers[0] ?? '')?.id;
        for (const phone_number of person.numbers) {
          expect((await api.patch(`${CONTACTS}${stranger}`, { phone_number })).status).toBe(409);
          const { body } = await api.patch(`${CONTACTS}${id}`, { phone_number });
          expect(body).toMatchObject({ contact: { id, phone_number } });
        }
      }
      await crowd.contactPerPerson(people);
    });
  });

  it('has one consent, also before they are a contact and after an erasure', async () => {
    await assert(everywhere, async (people) => {
      const stops = (person: DrawnPerson) => person.choices[1] ?? 0;
      const [others, before, after] = [0, 1, 2].map((kind) => people.filter((person) => stops(person) % 3 === kind));
      if (!others || !before || !after) throw new Error('there are three kinds');
      // Some decide on their phone before they are contacts.
      const timestamp = Math.floor(Date.now() / 1000);
      for (const person of before) {
        const wa_id = pick(person.numbers, person, 1);
        await preference(world, crowd.account.phone, { wa_id, value: 'stop', detail: 'stop', timestamp });
      }
      await crowd.letIn(people, 0);
      await crowdOf(after, (person) => crowd.say('STOP', pick(person.numbers, person, 1)));
      const out = [...before, ...after];
      await expectConsent(people, out);
      const reached = others.filter((person) => closedTo(person) === null);
      await expectOneRecipient(people, 'MARKETING', reached);

      const contacts = await crowd.contactPerPerson(people);
      for (const { numbers, choices } of out) {
        const id = contacts.get(numbers[0])?.id ?? '';
        if ((choices[2] ?? 0) % 2 === 0) await erase(crowd.account, id);
        else expect((await crowd.account.api.delete(CONTACTS + id)).status).toBe(200);
      }
      await crowd.contactPerPerson(others);
      await crowd.letIn(people, 2);
      await expectConsent(people, out);

      await crowdOf(out, (person) => crowd.say('START', pick(person.numbers, person, 2)));
      await expectConsent(people, []);
    });
  });
});

/** Expects that exactly some people have opted out: marketing to any spelling of their number is refused. */
const expectConsent = async (people: readonly DrawnPerson[], out: readonly DrawnPerson[]) => {
  const contacts = await crowd.contactPerPerson(people);
  const shown = people.map(({ numbers }) => [numbers, contacts.get(numbers[0])?.opted_in]);
  expect(shown).toEqual(people.map((person) => [person.numbers, !out.includes(person)]));
  for (const person of people) {
    const refusals = await Promise.all(person.numbers.map((number) => crowd.marketingRefusal(number)));
    const expected = out.includes(person) ? 'contact_opted_out' : closedTo(person);
    expect([person.numbers, refusals]).toEqual([person.numbers, person.numbers.map(() => expected)]);
  }
};

/** Two numbers that only the network knows as one person's: the first is dialled, the second is the network's. */
interface Joined {
  readonly dialled: DrawnPerson;
  readonly known: DrawnPerson;
}

/** The same person by the number of before 2021. */
const ivorianBefore2021 = (person: DrawnPerson): Joined => {
  const old = `225${person.numbers[0].slice(-8)}`;
  const international = [
    old,
    `+${old}`,
    `00${old}`,
    `tel:+225-${old.slice(3)}`,
    `+225 ${old.slice(3, 5)} ${old.slice(5)}`,
  ];
  return {
    dialled: { ...person, numbers: [old], international: international as [string, ...string[]], national: [old] },
    known: person,
  };
};
const joined = fc.tuple(
  ...Array.from({ length: 8 }, () => drawnIn('CI').map(ivorianBefore2021)),
  ...(['BR', 'MX', 'DE', 'US', 'IN'] as const).map((country) =>
    fc
      .tuple(drawnIn(country), drawnIn(country))
      .filter(([dialled, known]) => dialled.numbers[0] !== known.numbers[0])
      .map(([dialled, known]) => ({ dialled, known })),
  ),
);

describe('people whose numbers only the network joins', () => {
  it('are one contact, thread, consent and recipient from then on', async () => {
    await assert(joined, async (pairs) => {
      const apart = pairs.flatMap(({ dialled, known }) => [dialled, known]);
      // Without user ids: the network has one for the two numbers of a person.
      await crowdOf(apart, ({ numbers }) => crowd.create(numbers[0]));
      const messages = apart.map(({ numbers: [from] }) => ({
        from,
        id: `wamid.${uniqueDigits()}`,
        type: 'text',
        text: { body: `I am ${from}` },
      }));
      expect(await deliver(world, crowd.account.phone, { messages })).toBe(200);
      await crowd.contactPerPerson(apart);
      for (const { dialled, known } of pairs) {
        const { wa_id = '' } = await world.simulator.person({ number: known.numbers[0] });
        for (const number of dialled.numbers) await world.simulator.person({ number, wa_id });
      }
      const one = pairs.map(({ dialled, known }) => ({
        ...known,
        numbers: [...known.numbers, ...dialled.numbers] as [string, ...string[]],
        international: [...known.international, ...dialled.international] as [string, ...string[]],
      }));
      const send = ({ dialled }: Joined) => crowd.send(crowd.utility, pick(dialled.numbers, dialled, 1));
      expect(await crowdOf(pairs, send)).toEqual(pairs.map(() => 200));
      await until('all are joined', async () => (await crowd.contacts()).length <= pairs.length);
      await crowd.contactPerPerson(one);
      for (const turn of [1, 2, 3]) await crowd.letIn(one, turn);
      await crowd.contactPerPerson(one);
      for (const { dialled, known } of pairs) {
        const texts = (await threadOf([...known.numbers, ...dialled.numbers])).map(({ content }) => content);
        expect(texts).toEqual(expect.arrayContaining([`I am ${known.numbers[0]}`, `I am ${dialled.numbers[0]}`]));
      }
      expect(await crowd.threadCount()).toBe(pairs.length);
      await expectOneRecipient(one);
      await crowdOf(one, (person) => crowd.say('STOP', pick(person.numbers, person, 4)));
      await expectConsent(one, one);
    });
  });
});
