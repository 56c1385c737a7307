import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Reads the parts of a page of docs/ that tests compare with the service. */
export class Document {
  private readonly file: string;
  private text: string;

  /** @param name such as `errors.md` */
  constructor(private readonly name: string) {
    this.file = path.resolve(__dirname, '../../docs', name);
    this.text = readFileSync(this.file, 'utf8');
  }

  /** The cells of the first table under `heading`, without its header row. */
  rowsUnder(heading: string): string[][] {
    const [, section] = this.text.split(`\n${heading}\n`);
    if (section === undefined) throw new Error(`docs/${this.name} has no heading ${heading}`);
    const table = /(?:^\|.*\|\n)+/m.exec(section)?.[0] ?? '';
    return table
      .trim()
      .split('\n')
      .slice(2)
      .map((row) => row.slice(2, -2).split(' | '));
  }

  /** The text without its line breaks. */
  get prose(): string {
    return this.text.replace(/\s+/g, ' ');
  }

  matches(pattern: RegExp): string[] | null {
    return this.text.match(pattern);
  }

  /** Contents of the code blocks of a language, in order. */
  blocks(language: string): string[] {
    return [...this.text.matchAll(/^```(\S+)\n([\s\S]*?)^```$/gm)].flatMap(([, of, content = '']) =>
      of === language ? [content] : [],
    );
  }

  /** The commands, in order, each with the output directly below it, if any. */
  transcript(): { commands: string; output: string | null }[] {
    const pairs = this.text.matchAll(/^```bash\n([\s\S]*?)^```\n(?:```text\n([\s\S]*?)^```$)?/gm);
    return [...pairs].map(([, commands = '', output]) => ({ commands, output: output ?? null }));
  }

  /** The code blocks marked by a `sample` comment, by name. */
  samples(): Map<string, string> {
    return new Map([...this.text.matchAll(SAMPLE)].map(([, , name = '', , content = '']) => [name, content]));
  }

  /** Writes the samples into the page. */
  record(samples: ReadonlyMap<string, string>): void {
    this.text = this.text.replace(SAMPLE, (_, opening: string, name: string, fence: string, __, closing: string) => {
      return `${opening}${name}${fence}${samples.get(name) ?? ''}${closing}`;
    });
    writeFileSync(this.file, this.text);
  }
}

/** Opening, name, fence, content, closing. */
const SAMPLE = /(^<!-- sample: )([^\n]*?)( -->\n```\S+\n)([\s\S]*?)(^```$)/gm;
