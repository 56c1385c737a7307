import type { WaitingReason } from '../campaigns/campaign.entity.js';
import { waitingFor } from '../campaigns/campaign-wait.js';
import { now } from '../values/clock.js';
import type { CampaignState } from './campaign-watch.js';
import { type Output, printable } from './command-runner.js';
import { SendingRate, timeLeft } from './sending-rate.js';

const STEPS = ['sent', 'held', 'delivered', 'read', 'clicked', 'replied', 'failed'] as const;

/** A step of the funnel. */
export type FunnelStep = (typeof STEPS)[number];

const BAR_WIDTH = 36;
const LINE_EVERY_MS = 1000;
/** Turn line wrapping off while drawing: wrapped rows could not be redrawn in place. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';

/** Draws a campaign's funnel: in place on a terminal, otherwise as plain lines, at most one per second. */
export class CampaignFunnel {
  private readonly rate = new SendingRate();
  private rowsDrawn = 0;
  /** Shown once the network has held a message back, and from then on. */
  private showsHeld = false;
  private lastLine = '';
  private lastLineAt = -Infinity;

  /** @param noteOf the note beside a step */
  constructor(
    private readonly output: Pick<Output, 'out' | 'isTerminal'>,
    private readonly noteOf: (step: FunnelStep) => string = () => '',
  ) {}

  /**
   * @param at milliseconds since the watch began
   * @param final whether this is the last update
   */
  draw(state: CampaignState, at: number, final: boolean): void {
    const perSecond = this.rate.add(state.sent, at);
    this.showsHeld ||= state.held > 0;
    if (this.output.isTerminal) this.redraw(state, perSecond);
    else this.line(state, perSecond, at, final);
  }

  private get steps(): readonly FunnelStep[] {
    return this.showsHeld ? STEPS : STEPS.filter((step) => step !== 'held');
  }

  private redraw(state: CampaignState, perSecond: number): void {
    const row = (name: string, count: number, note: string): string => {
      const filled = Math.round((BAR_WIDTH * Math.min(count, state.totalContacts)) / Math.max(1, state.totalContacts));
      const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
      return `  ${name.padEnd(10)} ${bar} ${number(count)}${note && `   ${note}`}`;
    };
    const rows = [
      `  ${printable(state.name)}: ${[standingOf(state), ...paceOf(state, perSecond)].join(', ')}`,
      row('total', state.totalContacts, ''),
      ...this.steps.map((step) => row(step, state[step], this.noteOf(step))),
    ];
    const up = this.rowsDrawn > 0 ? `\x1b[${this.rowsDrawn}A` : '';
    this.output.out(`${up}${NO_WRAP}${rows.map((text) => `\x1b[2K${text}\n`).join('')}${WRAP}`);
    this.rowsDrawn = rows.length;
  }

  private line(state: CampaignState, perSecond: number, at: number, final: boolean): void {
    if (at - this.lastLineAt < LINE_EVERY_MS && !final) return;
    const steps = this.steps.map((step) => {
      const note = this.noteOf(step);
      return `${step} ${state[step]}${note && ` (${note})`}`;
    });
    const line = [standingOf(state), `total ${state.totalContacts}`, ...steps].join(', ');
    if (line === this.lastLine) return;
    [this.lastLine, this.lastLineAt] = [line, at];
    const elapsed = (at / 1000).toFixed(1).padStart(6);
    this.output.out(`${elapsed} s  ${[line, ...paceOf(state, perSecond)].join(', ')}\n`);
  }
}

/** What a campaign may wait for, in words. */
const WAITS: Readonly<Record<WaitingReason, string>> = {
  phone: 'the network to take its messages again',
  network: 'the network to be reachable',
  restriction: 'the end of a restriction',
  send_window: 'the send window',
  messaging_limit: 'the messaging limit',
};

function standingOf(state: CampaignState): string {
  const { status, paused, failureReason } = state;
  const { reason, until } = waitingFor(state, now());
  const wait =
    reason === null ? '' : `, waiting for ${WAITS[reason]}${until === null ? '' : ` until ${until.toISOString()}`}`;
  const standing = status === 'running' && paused ? 'running, paused' : `${status}${wait}`;
  return failureReason === null ? standing : `${standing}: ${printable(failureReason)}`;
}

function paceOf({ status, paused, totalContacts, sent, failed }: CampaignState, perSecond: number): string[] {
  if (status !== 'running' || paused) return [];
  const left = timeLeft(totalContacts - sent - failed, perSecond);
  return [`${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`, ...(left === null ? [] : [left])];
}

/** Right-aligned, with thousands separators. */
export function number(value: number): string {
  return value.toLocaleString('en').padStart(6);
}
