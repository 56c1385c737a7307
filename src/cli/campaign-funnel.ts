import type { CampaignState } from './campaign-watch.js';
import type { Output } from './command-runner.js';
import { SendingRate, timeLeft } from './sending-rate.js';

const STEPS = ['sent', 'delivered', 'read', 'clicked', 'replied', 'failed'] as const;

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
    if (this.output.isTerminal) this.redraw(state, perSecond);
    else this.line(state, perSecond, at, final);
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
      ...STEPS.map((step) => row(step, state[step], this.noteOf(step))),
    ];
    const up = this.rowsDrawn > 0 ? `\x1b[${this.rowsDrawn}A` : '';
    this.output.out(`${up}${NO_WRAP}${rows.map((text) => `\x1b[2K${text}\n`).join('')}${WRAP}`);
    this.rowsDrawn = rows.length;
  }

  private line(state: CampaignState, perSecond: number, at: number, final: boolean): void {
    if (at - this.lastLineAt < LINE_EVERY_MS && !final) return;
    const steps = STEPS.map((step) => {
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

function standingOf({ status, paused, failureReason }: CampaignState): string {
  const standing = status === 'running' && paused ? 'running, paused' : status;
  return failureReason === null ? standing : `${standing}: ${printable(failureReason)}`;
}

function paceOf({ status, paused, totalContacts, sent, failed }: CampaignState, perSecond: number): string[] {
  if (status !== 'running' || paused) return [];
  const left = timeLeft(totalContacts - sent - failed, perSecond);
  return [`${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`, ...(left === null ? [] : [left])];
}

/** Keeps text from customers and the network from controlling the terminal. */
export const printable = (text: string): string => text.replace(/\p{C}/gu, '\ufffd');

/** Right-aligned, with thousands separators. */
export function number(value: number): string {
  return value.toLocaleString('en').padStart(6);
}
