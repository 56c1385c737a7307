import { isTimeZone } from './local-time.js';
import { NUMBER_ZONES } from './number-zone-data.js';
import { zonesOfNumber } from './number-zones.js';

describe('the time zones of a phone number', () => {
  it.each([
    ['4915112345678', ['Europe/Berlin']],
    ['12125550123', ['America/New_York']],
    ['13105550123', ['America/Los_Angeles']],
    ['18085550123', ['Pacific/Honolulu']],
    ['5511912345678', ['America/Sao_Paulo']],
    ['5568912345678', ['America/Rio_Branco']],
    ['919812345678', ['Asia/Calcutta']],
    ['61731234567', ['Australia/Brisbane']],
    ['74232123456', ['Asia/Vladivostok']],
    ['88216123456', []],
  ])('%s: %j', (number, zones) => {
    expect(zonesOfNumber(number)).toEqual(zones);
  });

  it('are those of the country when the digits do not narrow it down', () => {
    expect(zonesOfNumber('12995550123')).toEqual(expect.arrayContaining(['America/New_York', 'Pacific/Honolulu']));
  });

  it('are all supported by this Node version', () => {
    const zones = new Set(NUMBER_ZONES.split(/\s+/).filter((word) => /^[A-Z]/.test(word)));
    expect(zones.size).toBeGreaterThan(200);
    expect([...zones].filter((zone) => !isTimeZone(zone))).toEqual([]);
  });
});
