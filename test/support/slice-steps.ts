import { setImmediate as nextTurn } from 'node:timers/promises';
import { sliceClock } from '../../src/runtime/slices.js';
import { closed, opened } from './left-open.js';

/** Milliseconds that each look at the clock of the slices takes. */
const MS_PER_LOOK = 0.2;
/** Looks of one slice. */
export const LOOKS_PER_SLICE = 50;

/**
 * Makes each look at the clock of the slices take as long, so that a slice has as many looks on any machine, and counts
 * them.
 */
export class SliceSteps {
  /** All looks so far. */
  looks = 0;
  /** The most looks of one turn of the event loop. */
  mostPerTurn = 0;
  private isStopped = false;

  constructor() {
    let at = 0;
    jest.spyOn(sliceClock, 'now').mockImplementation(() => {
      at += MS_PER_LOOK;
      this.looks += 1;
      return at;
    });
    opened(this, 'a SliceSteps', async () => this.stop());
    void this.count();
  }

  stop(): void {
    closed(this);
    this.isStopped = true;
    jest.restoreAllMocks();
  }

  private async count(): Promise<void> {
    for (let before = this.looks; !this.isStopped; before = this.looks) {
      await nextTurn();
      this.mostPerTurn = Math.max(this.mostPerTurn, this.looks - before);
    }
  }
}
