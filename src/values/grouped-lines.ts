/** Collapses a burst of similar log lines into two: the first one immediately, then a count of the rest. */
export class GroupedLines {
  private others = 0;
  private isOpen = false;

  /**
   * @param togetherMs how long lines after the first are counted before the summary, milliseconds
   */
  constructor(
    private readonly write: (line: string) => void,
    private readonly togetherMs: number,
  ) {}

  /**
   * @param line the log line for one occurrence
   * @param ofOthers the summary line for `count` further occurrences
   */
  add(line: string, ofOthers: (count: number) => string): void {
    if (this.isOpen) {
      this.others += 1;
      return;
    }
    this.isOpen = true;
    this.write(line);
    setTimeout(() => this.close(ofOthers), this.togetherMs).unref();
  }

  private close(ofOthers: (count: number) => string): void {
    if (this.others > 0) this.write(ofOthers(this.others));
    this.others = 0;
    this.isOpen = false;
  }
}
