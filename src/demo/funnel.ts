/** One step of the funnel: how far the campaign's messages have come, and how much of it the subscriber was told. */
export interface FunnelStep {
  readonly name: string;
  readonly count: number;
  readonly webhooks: number;
}

const BAR = 36;

/** Draws a funnel in place on a terminal, and as plain lines, when something changed, elsewhere. */
export class Funnel {
  private drawn = 0;
  private last = '';

  constructor(
    private readonly total: number,
    private readonly out: NodeJS.WriteStream,
  ) {}

  draw(steps: readonly FunnelStep[], seconds: number): void {
    if (this.out.isTTY) this.redraw(steps);
    else this.line(steps, seconds);
  }

  private redraw(steps: readonly FunnelStep[]): void {
    const rows = steps.map(({ name, count, webhooks }) => {
      const filled = Math.round((BAR * Math.min(count, this.total)) / this.total);
      const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
      return `  ${name.padEnd(10)} ${bar} ${number(count)}   webhooks ${number(webhooks)}`;
    });
    const up = this.drawn > 0 ? `\x1b[${this.drawn}A` : '';
    this.out.write(`${up}${rows.map((row) => `\x1b[2K${row}\n`).join('')}`);
    this.drawn = rows.length;
  }

  private line(steps: readonly FunnelStep[], seconds: number): void {
    const text = steps.map(({ name, count, webhooks }) => `${name} ${count} (webhooks ${webhooks})`).join(', ');
    if (text === this.last) return;
    this.last = text;
    this.out.write(`${seconds.toFixed(1).padStart(6)} s  ${text}\n`);
  }
}

/** Right-aligned, with thousands separated. */
export function number(value: number): string {
  return value.toLocaleString('en').padStart(6);
}
