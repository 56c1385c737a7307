import { changesFor, filterOf } from '../../console/screens/campaigns/campaigns-filter.js';
import { differences, heardNow, MAX_LIVE, withHeard } from '../../console/screens/campaigns/live-rows.js';
import { shownRows } from '../../console/screens/campaigns/row-order.js';

const row = (campaign_id: string, campaign_status = 'running', sent_count = 0) => ({
  campaign_id,
  campaign_status,
  sent_count,
});

describe('the filter of the list', () => {
  it.each([
    ['', { status: null, search: null, page: 1 }],
    ['status=running&search=%20spring%20&page=3', { status: 'running', search: 'spring', page: 3 }],
    ['status=other&search=%20&page=0', { status: null, search: null, page: 1 }],
    ['page=-1', { status: null, search: null, page: 1 }],
    ['page=1e9', { status: null, search: null, page: 1 }],
  ])('of %j', (query, filter) => {
    expect(filterOf(new URLSearchParams(query))).toEqual(filter);
  });

  it('begins at its first page when it changes', () => {
    expect(changesFor({ status: 'failed' })).toEqual({ status: 'failed', page: null });
    expect(changesFor({ search: null })).toEqual({ search: null, page: null });
  });
});

describe('a list and the campaigns that run', () => {
  it('shows what was heard after the list was read, and no older state', () => {
    const heard = heardNow(heardNow(new Map(), [row('a', 'running', 5)], 20), [row('b', 'running', 7)], 30);
    const rows = [row('a'), row('b'), row('c')];
    expect(withHeard(rows, 10, heard).map(({ sent_count }) => sent_count)).toEqual([5, 7, 0]);
    expect(withHeard(rows, 25, heard).map(({ sent_count }) => sent_count)).toEqual([0, 7, 0]);
  });

  it('is read again for those that have begun, have ended, or are missing', () => {
    const rows = [row('a'), row('b', 'scheduled'), row('c', 'completed')];
    expect(differences(rows, [row('a')], false)).toBe('');
    expect(differences(rows, [], false)).toBe('a');
    expect(differences(rows, [row('a'), row('b')], false)).toBe('b');
    expect(differences(rows, [row('a'), row('d')], false)).toBe('d');
    expect(differences(rows, [row('a'), row('d')], true)).toBe('');
  });

  it('does not take those for ended that the stream had no place for', () => {
    const running = Array.from({ length: MAX_LIVE }, (_, index) => row(`new ${index}`));
    expect(differences([row('old')], running, true)).toBe('');
  });
});

describe('rows under a hand', () => {
  it('stay where they are with their latest values; new ones are only counted', () => {
    const before = [row('b', 'running', 1), row('a', 'running', 1)];
    const latest = [row('c'), row('b', 'running', 2)];
    expect(shownRows(before, latest)).toEqual({ rows: [row('b', 'running', 2), row('a', 'running', 1)], fresh: 1 });
  });

  it('take the order of the list when nobody points at them', () => {
    const latest = [row('c'), row('b')];
    expect(shownRows(null, latest)).toEqual({ rows: latest, fresh: 0 });
  });
});
