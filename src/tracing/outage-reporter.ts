import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** Exports through another exporter, and reports once when that begins to fail and once when it works again. */
export class OutageReporter implements SpanExporter {
  private isFailing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly report: (line: string) => void,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      this.note(result);
      done(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private note({ code, error }: ExportResult): void {
    const failed = code === ExportResultCode.FAILED;
    if (failed === this.isFailing) return;
    this.isFailing = failed;
    this.report(
      failed
        ? `traces cannot be sent, and are dropped until they can: ${error?.message ?? 'the receiver refuses them'}`
        : 'traces are sent again',
    );
  }
}
