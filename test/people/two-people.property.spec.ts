import fc from 'fast-check';
import { deliver } from '../inbound/inbound.js';
import { crowdOf } from '../support/crowd.js';
import { uniqueDigits, World } from '../support/world.js';
import { Crowd, closedTo, TURNS } from './crowd.js';
import { COUNTRIES, type DrawnPerson, drawnIn, pick } from './spelled-people.js';

// A failure names its seed and path: with both in the options of fc.assert, the same people are drawn again.

let world: World;
let crowd: Crowd;
beforeAll(async () => {
  world = await World.start();
  await world.simulator.behave({ wa_id_rules: ['BR', 'MX', 'AR'] });
});
afterAll(() => world.stop());

type Numbers = readonly [string, ...string[]];

/** Somebody whose numbers are these. Only with a plus or zeros do they mean the same in any country. */
const like = (person: DrawnPerson, numbers: Numbers): DrawnPerson => {
  const international = numbers.flatMap((number) => [number, `+${number}`]) as [string, ...string[]];
  const national = numbers.flatMap((number) => [`+${number}`, `00${number}`, `tel:+${number}`]) as [
    string,
    ...string[],
  ];
  return { ...person, numbers, international, national };
};

/** Somebody whose number differs in one of the last digits, in all spellings. */
const neighbour = (person: DrawnPerson): DrawnPerson => {
  const [place = 0, more = 0] = person.choices;
  const fromEnd = 1 + (place % 3);
  const changed = (number: string) => {
    const at = number.length - fromEnd;
    return number.slice(0, at) + ((Number(number[at]) + 1 + (more % 9)) % 10) + number.slice(at + 1);
  };
  return like(person, person.numbers.map(changed) as [string, ...string[]]);
};

/** A subscriber's eight digits of a Brazilian landline, and what looks like the mobile phone with a ninth digit. */
const brazilianLandline = fc
  .tuple(drawnIn('BR'), fc.stringMatching(/^[1-9][1-9][2-5]\d{7}$/))
  .map(([person, national]) => [
    like(person, [`55${national}`]),
    like(person, [`55${national.slice(0, 2)}9${national.slice(2)}`]),
  ]);

/** The number of before 2021 and one of today; as long as the network does not join them, they are two people's. */
const ivorians = drawnIn('CI').map((person) => [person, like(person, [`225${person.numbers[0].slice(-8)}`])]);

/** The same national number in two countries. */
const acrossBorders = drawnIn('DE').map((person) => {
  const national = person.numbers[0].slice(2);
  return [person, like(person, [`43${national}`]), like(person, [`44${national.slice(0, 10)}`])];
});

/** Of each country one, and somebody with nearly the same number. */
const neighbours = fc
  .shuffledSubarray([...COUNTRIES], { minLength: 30, maxLength: 30 })
  .chain((countries) => fc.tuple(...countries.map((country) => drawnIn(country).map((one) => [one, neighbour(one)]))));

/** Numbers that begin like a spelling of the network, but are too short for one. */
const tooShort = fc
  .tuple(drawnIn('MX'), drawnIn('AR'), drawnIn('BJ'))
  .map(([mexican, argentine, beninese]) => [
    like(mexican, [`52${mexican.numbers[0].slice(2, 11)}`]),
    like(mexican, [`521${mexican.numbers[0].slice(2, 11)}`, `5211${mexican.numbers[0].slice(2, 11)}`]),
    like(argentine, [`54${argentine.numbers[0].slice(3, 12)}`]),
    like(argentine, [`549${argentine.numbers[0].slice(3, 12)}`, `5499${argentine.numbers[0].slice(3, 12)}`]),
    like(beninese, [`229${beninese.numbers[0].slice(5, 12)}`]),
    like(beninese, [`22901${beninese.numbers[0].slice(5, 12)}`]),
  ]);

const assert = <Drawn>(drawn: fc.Arbitrary<Drawn>, property: (drawn: Drawn) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(drawn, async (people) => {
      crowd = await Crowd.of(world);
      await property(people);
    }),
    { numRuns: 1, endOnFailure: true },
  );

/** Expects that each person has a thread with nothing in it but what was said to them and by them. */
const expectOwnThreads = async (people: readonly DrawnPerson[]) => {
  for (const { numbers } of people) {
    for (const number of numbers) {
      const said = (await crowd.thread(number)).filter(({ direction }) => direction === 'in');
      const others = said.map(({ content }) => content).filter((content) => content.startsWith('I am '));
      expect([number, others]).toEqual([number, [`I am ${numbers[0]}`]]);
    }
  }
};

/** Lets half of the people opt out, and expects that nobody else is. */
const expectOwnConsent = async (people: readonly DrawnPerson[]) => {
  const out = people.filter(({ numbers }) => Number(numbers[0].at(-1)) % 2 === 0);
  await crowdOf(out, (person) => crowd.say('STOP', pick(person.numbers, person, 5)));
  const contacts = await crowd.contactPerPerson(people);
  const shown = people.map(({ numbers }) => [numbers, contacts.get(numbers[0])?.opted_in]);
  expect(shown).toEqual(people.map((person) => [person.numbers, !out.includes(person)]));
  for (const person of people.filter((each) => !out.includes(each))) {
    const { numbers } = person;
    expect([numbers, await crowd.marketingRefusal(numbers[0])]).toEqual([numbers, closedTo(person)]);
  }
};

const introduce = (people: readonly DrawnPerson[]) =>
  crowdOf(people, (person) => crowd.say(`I am ${person.numbers[0]}`, pick(person.numbers, person, 3)));

describe('two people', () => {
  it('are two contacts, threads, consents and recipients, however alike their numbers are', async () => {
    await assert(fc.tuple(neighbours, brazilianLandline, ivorians, acrossBorders), async ([pairs, ...alike]) => {
      const people = [...pairs, ...alike].flat();
      for (let turn = 0; turn < TURNS; turn += 1) await crowd.letIn(people, turn);
      await introduce(people);
      const texts = people.flatMap(({ international }) => international);
      const sent = await crowd.broadcast('UTILITY', texts, people.length);
      const times = people.map(({ numbers }) => [numbers, sent.filter((to) => numbers.includes(to)).length]);
      expect(times).toEqual(people.map(({ numbers }) => [numbers, 1]));
      await crowd.contactPerPerson(people);
      await expectOwnThreads(people);
      await expectOwnConsent(people);
    });
  });

  it('are two when one has left their number, and the other has it now', async () => {
    await assert(neighbours, async (pairs) => {
      const former = pairs.map(([one]) => one as DrawnPerson);
      const moved = pairs.map(([, other]) => other as DrawnPerson);
      // The network knows each of them by one number and one user id, also where the simulator has no rule.
      for (const { numbers } of [...former, ...moved].filter(({ country }) => country === 'BJ')) {
        for (const number of numbers) await world.simulator.person({ number, wa_id: numbers[0] });
      }
      await crowd.letIn(former, 0);
      // The network knows only people who have written.
      await crowdOf(former, (person) => crowd.say('Hello', pick(person.numbers, person, 1)));
      const before = await crowd.contactPerPerson(former);
      for (const [index, person] of former.entries()) {
        const to = pick((moved[index] as DrawnPerson).numbers, person, 2);
        const number = pick(person.numbers, person, 3);
        expect(await world.simulator.person({ event: 'change_number', number, to })).toMatchObject({
          callback_status: 200,
        });
      }
      await introduce(moved);
      const after = await crowd.contactPerPerson(moved);
      for (const [index, { numbers }] of former.entries()) {
        const own = [after.get(moved[index]?.numbers[0] ?? '')?.id, before.get(numbers[0])?.id];
        expect([numbers, own[0]]).toEqual([numbers, own[1]]);
      }
      await introduce(former);
      for (const turn of [1, 2, 3]) await crowd.letIn([...former, ...moved], turn);
      const all = await crowd.contactPerPerson([...former, ...moved]);
      for (const { numbers } of moved) expect(all.get(numbers[0])?.id).toBe(after.get(numbers[0])?.id);
      await expectOwnThreads([...former, ...moved]);
      await expectOwnConsent([...former, ...moved]);
    });
  });

  it('stay two by digits that are no number of their country', async () => {
    await assert(tooShort, async (people) => {
      const statuses = await crowdOf(people, (person) => crowd.create(pick(person.numbers, person, 0)));
      expect(statuses).toEqual(people.map(() => 201));
      await introduce(people);
      for (const { numbers } of people) {
        for (const number of numbers) expect([number, await crowd.send(crowd.utility, number)]).toEqual([number, 200]);
      }
      await crowd.contactPerPerson(people);
      await expectOwnThreads(people);
      await expectOwnConsent(people);
    });
  });

  it('are two by their user ids', async () => {
    const digits = uniqueDigits();
    crowd = await Crowd.of(world);
    const users = [`DE.${digits}1`, `DE.${digits}2`, `DE.${digits}`, `US.${digits}1`, `DE.${digits}a`];
    for (const user_id of users) {
      await deliver(world, crowd.account.phone, {
        contacts: [{ user_id }],
        messages: [
          { from_user_id: user_id, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: `I am ${user_id}` } },
        ],
      });
    }
    const all = await crowd.contacts();
    expect(all.map(({ user_id }) => user_id).sort()).toEqual(users.toSorted());
    for (const user of users) {
      expect((await crowd.thread(user)).map(({ content }) => content)).toEqual([`I am ${user}`]);
    }
  });
});
