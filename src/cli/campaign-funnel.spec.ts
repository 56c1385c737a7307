import { CampaignFunnel } from './campaign-funnel.js';
import type { CampaignState } from './campaign-watch.js';

const state = (more: Partial<CampaignState> = {}): CampaignState => ({
  name: 'Spring',
  status: 'running',
  paused: false,
  failureReason: null,
  waitingReason: null,
  waitingUntil: null,
  totalContacts: 1000,
  sent: 0,
  delivered: 0,
  read: 0,
  clicked: 0,
  replied: 0,
  failed: 0,
  held: 0,
  ...more,
});

describe('a campaign’s funnel', () => {
  let written: string[];
  const funnelOn = (isTerminal: boolean) => {
    written = [];
    return new CampaignFunnel({ isTerminal, out: (text) => written.push(text) });
  };

  it('says what a running campaign waits for', () => {
    const funnel = funnelOn(false);
    const waitingUntil = new Date(Date.now() + 3_600_000);
    funnel.draw(state({ waitingReason: 'send_window', waitingUntil }), 0, false);
    funnel.draw(state({ waitingReason: 'restriction' }), 1000, false);
    funnel.draw(state({ waitingReason: 'restriction', paused: true }), 2000, true);
    expect(written.map((line) => line.slice(10).split(', total')[0])).toEqual([
      `running, waiting for the send window until ${waitingUntil.toISOString()}`,
      'running, waiting for the end of a restriction',
      'running, paused',
    ]);
  });

  it('prints plain lines into a pipe: at most one a second, only changes, and always the last one', () => {
    const funnel = funnelOn(false);
    funnel.draw(state(), 0, false);
    funnel.draw(state({ sent: 100, failed: 2 }), 500, false);
    funnel.draw(state({ sent: 200, failed: 2 }), 1000, false);
    funnel.draw(state({ sent: 200, failed: 2 }), 2000, false);
    funnel.draw(state({ sent: 200, failed: 2, paused: true }), 3000, false);
    funnel.draw(state({ sent: 998, failed: 2, status: 'completed' }), 3250, true);
    const rest = 'delivered 0, read 0, clicked 0, replied 0, failed';
    expect(written).toEqual([
      `   0.0 s  running, total 1000, sent 0, ${rest} 0, 0.0/s\n`,
      `   1.0 s  running, total 1000, sent 200, ${rest} 2, 200/s, 4 s left\n`,
      `   3.0 s  running, paused, total 1000, sent 200, ${rest} 2\n`,
      `   3.3 s  completed, total 1000, sent 998, ${rest} 2\n`,
    ]);
  });

  it('redraws itself in place on a terminal', () => {
    const funnel = funnelOn(true);
    funnel.draw(state(), 0, false);
    funnel.draw(state({ sent: 500 }), 250, false);
    const [first = '', second = ''] = written;
    const rows = first.split('\n').length - 1;
    expect(first).not.toMatch(/\[\d+A/);
    expect(second.startsWith(`\x1b[${rows}A`)).toBe(true);
    expect(second).toContain('  Spring: running, 2000/s, 1 s left\n');
    expect(second).toContain(`  sent       ${'█'.repeat(18)}${'░'.repeat(18)}    500\n`);
  });

  it.each([true, false])('keeps names and reasons from controlling the terminal (%s)', (isTerminal) => {
    const hostile = '\x1b[2J\r\x9b1A\u202e';
    funnelOn(isTerminal).draw(state({ name: hostile, status: 'failed', failureReason: hostile }), 0, true);
    expect(written.join('')).not.toMatch(/\x1b\[2J|[\r\x9b\u202e]/);
    expect(written.join('')).toContain('failed: \ufffd[2J');
  });
});
