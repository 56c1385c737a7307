/** Logs what happens to many things at once in two lines: the first of them at once, the others together a little later. */
export class GroupedLines {
  private others = 0;
  private isOpen = false;

  /**
   * @param write logs a line
   * @param togetherMs how long what follows the first one is collected, milliseconds
   */
  constructor(
    private readonly write: (line: string) => void,
    private readonly togetherMs: number,
  ) {}

  /**
   * @param line says it of one
   * @param ofOthers says it of so many more, which have happened since
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
