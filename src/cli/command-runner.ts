import type { Command } from 'commander';
import { CLI, runAs } from '../audit/actor.js';
import type { Source } from '../config/variables.js';
import { type ApiAccess, readApiAccess } from './api-access.js';
import { type CliSettings, readCliSettings } from './cli-settings.js';
import { CommandFailure } from './command-failure.js';
import { Operator } from './operator.js';

type Value = string | number | boolean | null;

/** One row of a printed table. All rows have the same fields. */
export type AnswerRow = Readonly<Record<string, Value | Readonly<Record<string, Value>>>>;

/** The fields that a command prints, in order. An object is printed as JSON. */
export type CommandResult = Readonly<Record<string, Value | readonly string[] | readonly AnswerRow[] | object>>;

/** Rows that a list prints at most. */
export const MAX_LISTED = 10_000;

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

  /**
   * Runs a command that needs the services.
   *
   * @param advice what to do next; printed after the answer, but not with `--json`
   */
  async run<Result extends CommandResult>(
    command: Command,
    work: (operator: Operator) => Promise<Result | null>,
    advice: ((answer: Result) => string) | null = null,
  ): Promise<void> {
    const answer = await this.printed<Result>(command, async (settings) => {
      const operator = await Operator.connect(settings);
      try {
        return await runAs(CLI, () => work(operator));
      } finally {
        await operator.disconnect();
      }
    });
    if (answer !== null && advice !== null && !isJson(command)) this.output.out(`\n${advice(answer)}`);
  }

  /** Runs a command that uses the public API. It must have the options of `withApiOptions`. */
  async runOverHttp(command: Command, work: (access: ApiAccess) => Promise<CommandResult | null>): Promise<void> {
    this.print(command, await work(readApiAccess(this.source, command.opts())));
  }

  /** Runs a command that opens its own database connections. */
  async runWith(command: Command, work: (settings: CliSettings) => Promise<CommandResult | null>): Promise<void> {
    await this.printed(command, work);
  }

  /** Runs a command and prints its answer, which it returns. */
  private async printed<Result extends CommandResult>(
    command: Command,
    work: (settings: CliSettings) => Promise<Result | null>,
  ): Promise<Result | null> {
    const settings = readCliSettings(this.source);
    let answer: Result | null;
    try {
      answer = await work(settings);
    } catch (error) {
      if (settings.sandboxDirectory === null || (error as { code?: string }).code !== 'ECONNREFUSED') throw error;
      throw new CommandFailure(`the sandbox of ${settings.sandboxDirectory} is not running: start it with npm start`);
    }
    this.print(command, answer);
    return answer;
  }

  private print(command: Command, answer: CommandResult | null): void {
    if (answer === null) return;
    this.output.out(isJson(command) ? `${JSON.stringify(answer)}\n` : formatted(answer));
  }
}

const isJson = (command: Command): boolean => command.optsWithGlobals<{ json?: true }>().json === true;

function formatted(answer: CommandResult): string {
  const fields = Object.entries(answer);
  const isTable = (value: CommandResult[string]): value is readonly AnswerRow[] =>
    Array.isArray(value) && typeof value[0] === 'object';
  const lines = fields.filter(([, value]) => !isTable(value)).map(([key, value]) => [key, line(value)]);
  const tables = fields.flatMap(([, value]) => (isTable(value) ? [columns(value)] : []));
  return [...(lines.length === 0 ? [] : [aligned(lines)]), ...tables.map(aligned)].join('\n');
}

const line = (value: CommandResult[string]): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? printable(JSON.stringify(value))
    : shown(value as Value | readonly string[]);

const shown = (value: Value | readonly string[] | AnswerRow[string]): string =>
  printable(
    typeof value === 'object' && value !== null
      ? Object.values(value)
          .filter((each) => each !== null)
          .join(', ') || 'none'
      : String(value ?? 'none'),
  );

/** Keeps text from customers and the network from controlling the terminal, and on one line. */
export const printable = (text: string): string => text.replaceAll('\n', '⏎').replace(/\p{C}/gu, '\ufffd');

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
