import type { Command } from 'commander';
import { CLI, runAs } from '../audit/actor.js';
import type { Source } from '../config/variables.js';
import { type ApiAccess, readApiAccess } from './api-access.js';
import { type CliSettings, readCliSettings } from './cli-settings.js';
import { CommandFailure } from './command-failure.js';
import { Operator } from './operator.js';

type Value = string | number | boolean | null;

/** One row of a printed table. All rows have the same fields. */
export type AnswerRow = Readonly<Record<string, Value>>;

/** The fields that a command prints, in order. */
export type Answer = Readonly<Record<string, Value | readonly string[] | readonly AnswerRow[]>>;

/** Where a command writes. */
export interface Output {
  /** Whether {@link out} can be redrawn. */
  readonly isTerminal?: boolean;
  out(text: string): void;
  err(text: string): void;
}

/** Ctrl-C interrupted a running command. */
export class Interrupted extends Error {}

/**
 * Runs one command and prints its answer, unless it is null: as one JSON line with `--json`, otherwise as a line per
 * field and as tables.
 */
export class CommandRunner {
  constructor(
    private readonly source: Source,
    private readonly output: Output,
  ) {}

  /** Runs a command that needs the services. */
  run(command: Command, work: (operator: Operator) => Promise<Answer | null>): Promise<void> {
    return this.runWith(command, async (settings) => {
      const operator = await Operator.connect(settings);
      try {
        return await runAs(CLI, () => work(operator));
      } finally {
        await operator.disconnect();
      }
    });
  }

  /** Runs a command that uses the public API. It must have the options of `withApiOptions`. */
  async runOverHttp(command: Command, work: (access: ApiAccess) => Promise<Answer | null>): Promise<void> {
    this.print(command, await work(readApiAccess(this.source, command.opts())));
  }

  /** Runs a command that opens its own database connections. */
  async runWith(command: Command, work: (settings: CliSettings) => Promise<Answer | null>): Promise<void> {
    const settings = readCliSettings(this.source);
    let answer: Answer | null;
    try {
      answer = await work(settings);
    } catch (error) {
      if (settings.sandboxDirectory === null || (error as { code?: string }).code !== 'ECONNREFUSED') throw error;
      throw new CommandFailure(`the sandbox of ${settings.sandboxDirectory} is not running: start it with npm start`);
    }
    this.print(command, answer);
  }

  private print(command: Command, answer: Answer | null): void {
    if (answer === null) return;
    const { json } = command.optsWithGlobals<{ json?: true }>();
    this.output.out(json ? `${JSON.stringify(answer)}\n` : formatted(answer));
  }
}

function formatted(answer: Answer): string {
  const fields = Object.entries(answer);
  const isTable = (value: Answer[string]): value is readonly AnswerRow[] =>
    Array.isArray(value) && typeof value[0] === 'object';
  const lines = fields.filter(([, value]) => !isTable(value)).map(([key, value]) => [key, shown(value as Value)]);
  const tables = fields.flatMap(([, value]) => (isTable(value) ? [columns(value)] : []));
  return [...(lines.length === 0 ? [] : [aligned(lines)]), ...tables.map(aligned)].join('\n');
}

const shown = (value: Value | readonly string[]): string =>
  Array.isArray(value) ? value.join(', ') || 'none' : String(value ?? 'none');

/** A header row, followed by the rows. */
const columns = (rows: readonly AnswerRow[]): string[][] => [
  Object.keys(rows[0] ?? {}),
  ...rows.map((row) => Object.values(row).map(shown)),
];

function aligned(lines: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(width(column)))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
