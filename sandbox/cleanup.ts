/** Stops what was started, in reverse order, each part at most once. */
export class Cleanup {
  private readonly steps: { readonly what: string; readonly undo: () => Promise<void> | void }[] = [];
  private running: Promise<void> | undefined;

  add(what: string, undo: () => Promise<void> | void): void {
    this.steps.push({ what, undo });
  }

  /** Runs all steps, even if some fail; further calls wait for the same run. */
  run(): Promise<void> {
    this.running ??= this.unwind();
    return this.running;
  }

  private async unwind(): Promise<void> {
    const failures: string[] = [];
    for (let step = this.steps.pop(); step; step = this.steps.pop()) {
      try {
        await step.undo();
      } catch (error) {
        failures.push(`${step.what}: ${(error as Error).message}`);
      }
    }
    if (failures.length > 0) throw new Error(`Stopping failed for ${failures.join('; ')}`);
  }
}
