import { AbsenceMeansMore, MayBeAbsent, ObjectList, ObjectOf, Optional, Text } from '../../src/extension-api.js';
import { readLongRequest } from '../../src/http/request-reader.js';

class Address {
  @Optional()
  @Text({ blank: true })
  street?: string;

  @Optional()
  @Text({ blank: true })
  city?: string;
}

class Place {
  @Text()
  name: string;

  @Optional()
  @ObjectOf(Address)
  address?: Address;
}

class Person {
  @Optional()
  @Text({ blank: true })
  nickname?: string;

  @Optional()
  @ObjectOf(Address)
  home?: Address;

  @Optional()
  @ObjectOf(Place)
  office?: Place;

  @Optional()
  @ObjectList(Place, { max: 5 })
  places?: Place[];
}

class Terms {
  @AbsenceMeansMore()
  @Optional()
  @Text()
  limit?: string;
}

class Invitation {
  @MayBeAbsent()
  @Text({ blank: true })
  text?: string;

  @Optional()
  @ObjectOf(Address)
  address?: Address;

  @Optional()
  @ObjectOf(Place)
  place?: Place;

  @AbsenceMeansMore()
  @Optional()
  @ObjectOf(Place)
  bounds?: Place;

  @Optional()
  @ObjectOf(Terms)
  terms?: Terms;

  @AbsenceMeansMore()
  @Optional()
  @Text()
  limit?: string;

  @Optional()
  @ObjectList(Person, { max: 5, long: true })
  people?: Person[];
}

/** What a class that an extension declares makes of a body that creates something. */
const created = async (given: Record<string, unknown>) => ({ ...(await readLongRequest(Invitation, given, 'absent')) });

describe('a body that creates something', () => {
  it('takes an object for absent in which everything was left blank', async () => {
    expect(await created({ address: { street: '', city: ' ' } })).toEqual({});
    expect(await created({ address: {} })).toEqual({});
    expect(await created({ address: { street: '', city: null } })).toEqual({});
    expect(await created({ address: { street: '', city: 'Berlin' } })).toEqual({ address: { city: 'Berlin' } });
    expect(await created({ place: { name: 'Shop', address: { city: '' } } })).toEqual({ place: { name: 'Shop' } });
  });

  it('does so although a field of it is required, at any depth', async () => {
    const blank = [{}, { name: '' }, { name: null, address: {} }, { name: ' ', address: { street: '', city: [] } }];
    for (const place of blank) expect(await created({ place })).toEqual({});
    expect(await created({ people: [{ nickname: 'Ada', office: { name: '' } }] })).toEqual({
      people: [{ nickname: 'Ada' }],
    });
    expect(await created({ place: { name: '', icon: [{ size: '' }] } })).toEqual({});
  });

  it('refuses an object that has a value, known or not, when a field of it is required', async () => {
    await expect(created({ place: { name: '', address: { city: 'Berlin' } } })).rejects.toThrow(
      'place.name is required',
    );
    await expect(created({ place: { nmae: 'Shop' } })).rejects.toThrow('place.name is required');
    await expect(created({ place: { name: false } })).rejects.toThrow('place.name must be a string');
    await expect(created({ people: [{ places: [{}] }] })).rejects.toThrow('people[0].places[0].name is required');
  });

  it('refuses a blank object without which a body allows more, and one that holds such a field', async () => {
    await expect(created({ bounds: {} })).rejects.toThrow('bounds.name is required');
    await expect(created({ bounds: { name: '' } })).rejects.toThrow('bounds.name is required');
    await expect(created({ terms: { limit: '' } })).rejects.toThrow('terms.limit is required');
    expect(await created({ terms: { limit: null } })).toEqual({});
  });

  it('refuses a blank field whose absence means more', async () => {
    expect(await created({ text: 'Friends' })).toEqual({ text: 'Friends' });
    await expect(created({ text: 'Everybody', limit: '' })).rejects.toThrow('limit is required and must not be blank');
  });

  it('leaves the given body as it was sent, and copies only the entries of a long list that have blank fields', async () => {
    const kept = { nickname: 'Ada', places: [{ name: 'Shop', address: { city: 'Berlin' } }], icon: 'star' };
    const blank = {
      nickname: '',
      home: { street: '' },
      places: [{ name: 'Shop', address: { city: '' } }, { name: 'Pier' }],
      icon: 'star',
    };
    const given = { people: [kept, blank] };
    const sent = structuredClone(given);
    const { people = [] } = await created(given);
    expect(given).toEqual(sent);
    expect(people).toEqual([kept, { places: [{ name: 'Shop' }, { name: 'Pier' }], icon: 'star' }]);
    expect(people[0]).toBe(kept);
    expect(people[1]?.places?.[1]).toBe(blank.places[1]);
  });
});

it('a change takes blank values as they are', async () => {
  const given = { text: '', address: { city: '' } };
  expect({ ...(await readLongRequest(Invitation, given, 'values')) }).toEqual(given);
});
