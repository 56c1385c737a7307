import { partitionAt } from '../database/schema/partitions.js';
import { isExpired, retentionBounds } from './retention-rules.js';

const at = (text: string) => new Date(`${text}T12:00:00Z`);
const idAt = (text: string) => {
  const digits = at(text).getTime().toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
};
const DAILY = { table: 'events', period: 'day', fillfactor: 100 } as const;
const MONTHLY = { table: 'messages', period: 'month', fillfactor: 50 } as const;
const KEPT = { retentionDays: 30, messageRetentionDays: 60 };

describe('retention', () => {
  it.each([
    ['2026-01-30', false],
    ['2026-01-29', false],
    ['2026-01-28', true],
  ])('drops a day when its last moment is older than RETENTION_DAYS: %s', (day, expired) => {
    const bounds = retentionBounds(KEPT, at('2026-02-28'), []);
    expect(isExpired(DAILY, partitionAt(DAILY, at(day)), bounds)).toBe(expired);
  });

  it.each([
    ['2026-01-31', '2026-03-31', false],
    ['2026-01-31', '2026-04-01', false],
    ['2026-01-31', '2026-04-02', true],
    ['2025-12-01', '2026-03-01', false],
    ['2025-12-01', '2026-03-02', true],
  ])('drops a month when its last moment is older than MESSAGE_RETENTION_DAYS: %s on %s', (month, today, expired) => {
    const bounds = retentionBounds(KEPT, at(today), []);
    expect(isExpired(MONTHLY, partitionAt(MONTHLY, at(month)), bounds)).toBe(expired);
  });

  it('keeps messages forever by default', () => {
    const bounds = retentionBounds({ ...KEPT, messageRetentionDays: 0 }, at('2036-01-01'), []);
    expect(isExpired(MONTHLY, partitionAt(MONTHLY, at('2026-01-01')), bounds)).toBe(false);
    expect(isExpired(DAILY, partitionAt(DAILY, at('2026-01-01')), bounds)).toBe(true);
  });

  it.each([
    ['2026-01-15', true],
    ['2026-02-15', false],
    ['2026-03-15', false],
  ])('keeps messages back to the oldest running campaign: %s', (month, expired) => {
    const bounds = retentionBounds(KEPT, at('2026-12-01'), [{ id: idAt('2026-02-03'), isRunning: true }]);
    expect(isExpired(MONTHLY, partitionAt(MONTHLY, at(month)), bounds)).toBe(expired);
  });

  it.each([
    ['2026-01-15', true],
    ['2026-02-15', false],
    ['2026-03-15', true],
  ])('keeps only the recipients of unfinished campaigns: %s', (month, expired) => {
    const recipients = { ...MONTHLY, table: 'campaign_recipients' };
    const bounds = retentionBounds(KEPT, at('2026-12-01'), [{ id: idAt('2026-02-03'), isRunning: false }]);
    expect(isExpired(recipients, partitionAt(recipients, at(month)), bounds)).toBe(expired);
    expect(isExpired(MONTHLY, partitionAt(MONTHLY, at(month)), bounds)).toBe(true);
  });
});
