import { FUNNEL_HEIGHT, funnelShape } from '../../console/parts/funnel-shape.js';
import { CURVE_HEIGHT, curveOf, medianOf } from '../../console/parts/pace-curve.js';
import { funnelOf } from '../../console/screens/campaign/funnel-steps.js';
import { measuredPace } from '../../console/screens/campaign/measured-pace.js';
import { filterOf } from '../../console/screens/campaign/people-filter.js';
import { secondOf } from '../../console/screens/campaign/second-of.js';

/** Where the top of a column is. */
const topOf = (column: string): number => Number(/V([\d.]+)H/.exec(column)?.[1]);

describe('the shape of the funnel', () => {
  it('has a column for each step, as high as its share of the first one', () => {
    const tops = funnelShape([9640, 4820, 2410, 0]).map(({ column }) => topOf(column));
    expect(tops).toEqual([4, 52, 76, FUNNEL_HEIGHT]);
  });

  it('shows the smallest part, and no more than the whole', () => {
    expect(funnelShape([1_000_000, 1]).map(({ column }) => topOf(column))).toEqual([4, FUNNEL_HEIGHT - 1]);
    expect(funnelShape([3, 5]).map(({ column }) => topOf(column))).toEqual([4, 4]);
  });

  it('joins all steps but the last to the next one', () => {
    const bridges = funnelShape([4, 2, 1]).map(({ bridge }) => bridge);
    expect(bridges[2]).toBeNull();
    expect(bridges[0]).toBe('M206.7 4C270 4 270 52 333.3 52V100H206.7z');
  });

  it('is flat when there is nobody', () => {
    for (const { column } of funnelShape([0, 0])) expect(topOf(column)).toBe(FUNNEL_HEIGHT);
  });
});

describe('the steps of the funnel', () => {
  const campaign = {
    total_contacts: 200,
    sent_count: 100,
    delivered_count: 50,
    read_count: 5,
    clicked_count: 0,
    left_out: { duplicates: 7, invalid_phones: 5 },
  };
  const steps = (query: string) => funnelOf(campaign, filterOf(new URLSearchParams(query)));

  it('has each figure with its share of the step before', () => {
    expect(steps('').map(({ label, value, share }) => [label, value, share])).toEqual([
      ['People', 200, 'after 12 left out'],
      ['Sent', 100, '50%'],
      ['Delivered', 50, '50% of sent'],
      ['Read', 5, '10% of delivered'],
      ['Clicked', 0, '0% of read'],
    ]);
  });

  it('leads to those who got as far, and marks the step whose people are shown', () => {
    expect(steps('reached=read').map(({ choice, isChosen }) => [choice, isChosen])).toEqual([
      [{}, false],
      [{ reached: 'sent' }, false],
      [{ reached: 'delivered' }, false],
      [{ reached: 'read' }, true],
      [{ reached: 'clicked' }, false],
    ]);
    expect(steps('reached=read&search=pia').some(({ isChosen }) => isChosen)).toBe(false);
  });

  it('has no shares of nobody', () => {
    const none = { ...campaign, total_contacts: 0, sent_count: 0, delivered_count: 0, read_count: 0, left_out: null };
    expect(funnelOf(none, filterOf(new URLSearchParams())).map(({ share }) => share)).toEqual(['', '', '', '', '']);
  });
});

describe('the curve of the pace', () => {
  it('starts at zero, and has the highest value at the top', () => {
    const { line, area, limitAt } = curveOf([0, 40, 80, 40], null);
    expect(line).toBe('M0 80L75 80L225 43L375 6L525 43L600 43');
    expect(area).toBe(`M0 ${CURVE_HEIGHT}L0 80L75 80L225 43L375 6L525 43L600 43V${CURVE_HEIGHT}z`);
    expect(limitAt).toBeNull();
  });

  it('stays under its limit', () => {
    const { limitAt, line } = curveOf([40], 80);
    expect(limitAt).toBe(6);
    expect(line).toBe('M0 43L300 43L600 43');
  });

  it('draws nothing but zeros and no values at all', () => {
    expect(curveOf([0, 0], null).line).not.toContain('NaN');
    expect(curveOf([], 80).line).toBe('M0 80L600 80');
  });

  it('finds the middle', () => {
    expect([medianOf([]), medianOf([3]), medianOf([9, 1, 5]), medianOf([4, 1, 2, 3])]).toEqual([0, 3, 5, 2]);
  });
});

describe('the measured pace', () => {
  const buckets = [10, 0, 30, 4].map((accepted, index) => ({ at: `2026-11-27T16:14:0${index * 2}.000Z`, accepted }));

  it('counts by the second, and leaves out the interval that has only begun', () => {
    const measured = measuredPace({ bucket_seconds: 2, buckets }, true);
    expect(measured.rows.map(({ rate }) => rate)).toEqual([5, 0, 15]);
    expect(measured).toMatchObject({ typical: 5, most: 15, isOpen: true, from: '2026-11-27T16:14:00.000Z' });
  });

  it('has every interval of a campaign that has ended, to the end of the last one', () => {
    const measured = measuredPace({ bucket_seconds: 2, buckets }, false);
    expect(measured.rows).toHaveLength(4);
    expect(measured.to).toBe('2026-11-27T16:14:08.000Z');
    expect(measuredPace({ bucket_seconds: 1, buckets: buckets.slice(0, 1) }, true).rows).toHaveLength(1);
  });
});

describe('times of steps', () => {
  it('have seconds today, and are said as dates before', () => {
    const now = new Date();
    expect(secondOf(now.toISOString(), now)).toMatch(/^\d\d:\d\d:\d\d$/);
    expect(secondOf('2020-10-12T10:00:00.000Z', now)).not.toMatch(/:\d\d:/);
    expect(secondOf('', now)).toBe('');
  });
});
