import type { Command } from 'commander';
import type { Source } from '../config/variables.js';
import { type ApiAccess, readApiAccess } from './api-access.js';
import { type CliSettings, readCliSettings } from './cli-settings.js';
import { CommandFailure } from './command-failure.js';
import { Operator } from './operator.js';

type Value = string | number | boolean | null;

/** One row of a table that a command prints; all rows have the same fields. */
export type AnswerRow = Readonly<Record<string, Value>>;

/** The fields that a command prints, in this order. */
export type Answer = Readonly<Record<string, Value | readonly string[] | readonly AnswerRow[]>>;

/** Where a command writes. */
export interface Output {
  /** Whether what {@link out} writes can be drawn over. */
  readonly isTerminal?: boolean;
  out(text: string): void;
  err(text: string): void;
}

/** Ctrl-C ended a command that would have gone on. */
export class Interrupted extends Error {}

/**
 * Connects, runs one command's work and prints its answer, unless that is null: one JSON line with `--json`, else a line
 * per field, and tables as such.
 */
export class CommandRunner {
  constructor(
    private readonly source: Source,
    private readonly output: Output,
  ) {}

  /** Runs what needs the services. */
  run(command: Command, work: (operator: Operator) => Promise<Answer | null>): Promise<void> {
    return this.runWith(command, async (settings) => {
      const operator = await Operator.connect(settings);
      try {
        return await work(operator);
      } finally {
        await operator.disconnect();
      }
    });
  }

  /** Runs what any customer could do, over HTTP. The command has the options of `withApiOptions`. */
  async runOverHttp(command: Command, work: (access: ApiAccess) => Promise<Answer | null>): Promise<void> {
    this.print(command, await work(readApiAccess(this.source, command.opts())));
  }

  /** Runs what makes its own connections to the database. */
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
    this.output.out(json ? `${JSON.stringify(answer)}\n` : inWords(answer));
  }
}

function inWords(answer: Answer): string {
  const fields = Object.entries(answer);
  const isTable = (value: Answer[string]): value is readonly AnswerRow[] =>
    Array.isArray(value) && typeof value[0] === 'object';
  const lines = fields.filter(([, value]) => !isTable(value)).map(([key, value]) => [key, shown(value as Value)]);
  const tables = fields.flatMap(([, value]) => (isTable(value) ? [columns(value)] : []));
  return [...(lines.length === 0 ? [] : [aligned(lines)]), ...tables.map(aligned)].join('\n');
}

const shown = (value: Value | readonly string[]): string =>
  Array.isArray(value) ? value.join(', ') || 'none' : String(value ?? 'none');

/** The names of the fields, and under them the rows. */
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
