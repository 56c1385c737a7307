import { slicesOf } from './page-slices.js';

const month = (number: number, found: number) => ({ since: `${number}`, until: `${number + 1}`, found });
/** Newest first, as lists are. */
const MONTHS = [month(3, 5), month(2, 0), month(1, 100)];

/** The places (from 0, newest first) that slices of {@link MONTHS} stand for. */
const placesOf = (page: number, limit: number): number[] =>
  slicesOf(MONTHS, { page, limit }).flatMap(({ since, skip, take, oldestFirst }) => {
    const index = MONTHS.findIndex((each) => each.since === since);
    const start = MONTHS.slice(0, index).reduce((sum, { found }) => sum + found, 0);
    const first = start + (oldestFirst ? (MONTHS[index]?.found ?? 0) - skip - take : skip);
    return Array.from({ length: take }, (_, place) => first + place);
  });

describe('the slices of a page', () => {
  it('are nothing for an empty list or a page past its end', () => {
    expect(slicesOf([], { page: 1, limit: 20 })).toEqual([]);
    expect(slicesOf([month(1, 0)], { page: 1, limit: 20 })).toEqual([]);
    expect(slicesOf(MONTHS, { page: 7, limit: 20 })).toEqual([]);
  });

  it('are one stretch when the page lies in it', () => {
    expect(slicesOf(MONTHS, { page: 1, limit: 5 })).toEqual([
      { since: '3', until: '4', skip: 0, take: 5, oldestFirst: false },
    ]);
  });

  it('continue in the next stretch with rows', () => {
    expect(slicesOf(MONTHS, { page: 1, limit: 20 })).toEqual([
      { since: '3', until: '4', skip: 0, take: 5, oldestFirst: false },
      { since: '1', until: '2', skip: 0, take: 15, oldestFirst: false },
    ]);
  });

  it('skip from the nearer end', () => {
    expect(slicesOf(MONTHS, { page: 6, limit: 20 })).toEqual([
      { since: '1', until: '2', skip: 0, take: 5, oldestFirst: true },
    ]);
    expect(slicesOf(MONTHS, { page: 5, limit: 20 })).toEqual([
      { since: '1', until: '2', skip: 5, take: 20, oldestFirst: true },
    ]);
  });

  it.each([1, 7, 20, 100])('cover each place once with pages of %i', (limit) => {
    const pages = Math.ceil(105 / limit);
    const places = Array.from({ length: pages }, (_, index) => placesOf(index + 1, limit)).flat();
    expect(places).toEqual(Array.from({ length: 105 }, (_, place) => place));
  });
});
