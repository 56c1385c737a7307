import { ParleyError } from '../../clients/typescript/src/parley-error.js';
import type { Campaign } from '../../console/screens/campaign/campaign-types.js';
import { adviceOf, asksBefore, canRetry, retryBody, titleOf } from '../../console/screens/campaign/failure-groups.js';
import { heldRows } from '../../console/screens/campaign/held-rows.js';
import { filled, messageOf } from '../../console/screens/campaign/message-parts.js';
import { outcomeOf } from '../../console/screens/campaign/outcome.js';
import { choosing, filterKey, filterOf, isFiltered } from '../../console/screens/campaign/people-filter.js';
import { pauseReason, sentence } from '../../console/screens/campaign/stop-reason.js';
import { stateOf, turningPoint } from '../../console/screens/campaign/turning-points.js';

const answered = (status: number | null): ParleyError =>
  new ParleyError('campaigns.pause', {
    response: status === null ? null : new Response(null, { status }),
    detail: 'no',
    idempotencyKey: null,
  });

describe('what an attempt came to', () => {
  it.each([
    [400, 'running', 'refused'],
    [400, 'paused', 'overtaken'],
    [409, 'completed', 'overtaken'],
    [403, 'running', 'failed'],
    [429, 'paused', 'failed'],
    [500, 'running', 'failed'],
    [504, 'running', 'unknown'],
    [504, 'paused', 'took_effect'],
    [null, null, 'unknown'],
    [null, 'paused', 'took_effect'],
    [401, null, 'signed_out'],
  ] as const)('%s, and then %s: %s', (status, now, outcome) => {
    expect(outcomeOf(answered(status), 'running', now)).toBe(outcome);
  });
});

describe('failures', () => {
  const failure = (error_code: number, more = {}) => ({
    error_code,
    title: 'The network found a new reason',
    advice: 'Look it up',
    count: 4,
    retryable: true,
    retry_after: null,
    ...more,
  });
  const completed = { campaign_status: 'completed' } as const;
  const running = { campaign_status: 'running' } as const;
  const now = new Date('2026-11-27T16:15:00Z');

  it('are said in plain words, and in those of the API where there are none', () => {
    expect(titleOf(failure(131026))).toBe('Can’t receive it');
    expect(titleOf(failure(990_000))).toBe('The network found a new reason');
    expect(adviceOf(failure(990_000, { retryable: false }), completed, now)).toBe('Look it up.');
  });

  it('can be retried where that may help, once the campaign has ended', () => {
    expect(canRetry(failure(131000), completed)).toBe(true);
    expect(canRetry(failure(131000), running)).toBe(false);
    expect(canRetry(failure(131026, { retryable: false }), completed)).toBe(false);
    expect(canRetry(failure(131049, { retry_after: '2026-11-28T16:15:00Z' }), completed)).toBe(false);
    expect(adviceOf(failure(131000), running, now)).toBe(
      'Another attempt may succeed. Can be retried once the campaign has ended.',
    );
    expect(adviceOf(failure(131049, { retry_after: '2026-12-24T16:15:00Z' }), completed, now)).toMatch(
      /Not before [^.]*24[^.]*\.$/,
    );
  });

  it('ask first where a retry does more than its button says', () => {
    expect([asksBefore(failure(131000), completed), asksBefore(failure(131049), completed)]).toEqual([false, true]);
    expect(asksBefore(failure(131000), { campaign_status: 'failed' })).toBe(true);
    expect(retryBody(failure(131000))).toEqual({ error_codes: [131000] });
    expect(retryBody(failure(131049))).toEqual({ error_codes: [131049], include: ['marketing_cap'] });
  });
});

describe('rows that somebody points at', () => {
  const row = (id: string, value = 0) => ({ id, value });
  const held = (shown: readonly { id: string; value: number }[], latest: typeof shown) =>
    heldRows(shown, latest, ({ id }) => id);

  it('show their latest values where they are', () => {
    expect(held([row('a'), row('b')], [row('a', 1), row('b', 2)])).toEqual({
      rows: [row('a', 1), row('b', 2)],
      changed: 0,
    });
  });

  it('stay in their places while others come, go and move', () => {
    expect(held([row('a'), row('b'), row('c')], [row('c', 3), row('a', 1), row('d')])).toEqual({
      rows: [row('a', 1), row('b'), row('c', 3)],
      changed: 3,
    });
    expect(held([row('a')], [row('a'), row('b')])).toEqual({ rows: [row('a')], changed: 1 });
  });
});

describe('the filter of an address', () => {
  const of = (query: string) => filterOf(new URLSearchParams(query));

  it('is read, and what makes no sense counts as absent', () => {
    expect(of('reached=read&error_code=131026&search=%20pia%20&order=name&page=3')).toEqual({
      reached: 'read',
      status: null,
      errorCode: 131026,
      search: 'pia',
      order: 'name',
      page: 3,
    });
    const plain = { reached: null, status: null, errorCode: null, search: null, order: null, page: 1 };
    expect(of('reached=far&status=delivered&error_code=x&order=up&page=0&search=%20')).toEqual(plain);
    expect(of('page=-1&error_code=-5')).toEqual(plain);
  });

  it('leaves people out, or does not', () => {
    expect([of(''), of('order=name&page=2'), of('search=a'), of('error_code=1')].map(isFiltered)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(filterKey(of('order=name'))).not.toBe(filterKey(of('')));
  });

  it('is replaced by another choice, from the first page on', () => {
    expect(choosing({ reached: 'sent' })).toEqual({ reached: 'sent', status: null, error_code: null, page: null });
  });
});

describe('why a campaign stopped', () => {
  it('is said with figures when it has paused itself', () => {
    const reason =
      '11 of 100 recipients in a row failed, more than max_failure_percent allows. Most common error: Message ' +
      'undeliverable. Resume the campaign once the cause is fixed, or cancel it';
    expect(pauseReason(reason)).toEqual({ failed: 11, of: 100, common: 'Message undeliverable' });
    expect(pauseReason('the template is paused')).toBeNull();
  });

  it('is a sentence', () => {
    expect(sentence('the account is suspended')).toBe('The account is suspended.');
    expect([sentence('Done.'), sentence(' ')]).toEqual(['Done.', '']);
  });
});

describe('turning points', () => {
  const campaign = (more: Partial<Campaign>) =>
    ({
      campaign_status: 'running',
      paused: false,
      total_contacts: 100,
      sent_count: 0,
      delivered_count: 0,
      read_count: 0,
      clicked_count: 0,
      failed_count: 0,
      rate_per_second: null,
      seconds_left: null,
      ...more,
    }) as Campaign;

  it.each([
    [{ sent_count: 49 }, { sent_count: 50 }, 'Half sent.'],
    [{ sent_count: 50 }, { sent_count: 70 }, null],
    [{ sent_count: 10 }, { sent_count: 100, campaign_status: 'completed' }, 'Completed.'],
    [{}, { paused: true }, 'Paused.'],
    [{ paused: true }, {}, 'Sending again.'],
    [{ campaign_status: 'scheduled' }, {}, null],
    [{}, { campaign_status: 'cancelled' }, 'Cancelled.'],
    [{}, { campaign_status: 'failed' }, 'Stopped.'],
    [{ campaign_status: 'completed', sent_count: 100 }, { sent_count: 100 }, 'Sending again.'],
  ] as const)('%j, then %j: %s', (before, after, said) => {
    expect(turningPoint(campaign(before), campaign(after))).toBe(said);
  });

  it('and the state on demand, with the pace while it is sending', () => {
    expect(stateOf(campaign({ sent_count: 60, delivered_count: 5, failed_count: 2 }))).toBe(
      'Sending. 60 of 100 people sent to. 5 delivered, 0 read, 0 clicked. 2 failed.',
    );
    expect(stateOf(campaign({ sent_count: 60, rate_per_second: 20, seconds_left: 2 }))).toBe(
      'Sending. 60 of 100 people sent to. 0 delivered, 0 read, 0 clicked. 20 a second, about 2 s left.',
    );
  });
});

describe('the message', () => {
  it('has the values that everybody gets, and says which field fills the others', () => {
    const values = { '1': { contact_field: 'first_name', fallback: 'there' }, '2': 'TULIP15' };
    expect(filled('Hello {{1}}, {{ 2 }} until {{3}}', values)).toEqual([
      { text: 'Hello ', isFilled: false },
      { text: 'First name', isFilled: true },
      { text: ', ', isFilled: false },
      { text: 'TULIP15', isFilled: true },
      { text: ' until ', isFilled: false },
      { text: 'own value', isFilled: true },
    ]);
  });

  it('has its parts, and names where a file comes from', () => {
    const template = {
      header_format: 'IMAGE' as const,
      body: 'Hello',
      footer: 'Reply STOP to opt out',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Not for me' },
        { type: 'URL', text: 'See the bulbs' },
      ],
      components: [],
      limited_time_offer: null,
      carousel_cards: null,
    };
    const values = {
      body_data: {},
      header_data: {},
      media_url: 'https://pictures.example/bulbs.jpg',
      filename: null,
      location: null,
    };
    expect(messageOf(template, values)).toMatchObject({
      title: [],
      media: 'Image from pictures.example',
      body: [{ text: 'Hello', isFilled: false }],
      buttons: [
        { text: 'Not for me', isReply: true },
        { text: 'See the bulbs', isReply: false },
      ],
      cards: null,
    });
    const titled = { ...template, header_format: 'TEXT' as const, components: [{ type: 'HEADER', text: 'For {{1}}' }] };
    expect(messageOf(titled, { ...values, header_data: { '1': 'you' } }).title).toEqual([
      { text: 'For ', isFilled: false },
      { text: 'you', isFilled: true },
    ]);
  });
});
