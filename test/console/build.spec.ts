import { assets, builtText, loadedBytes, sourcesOf, sourceText } from './built-console.js';

/** Bytes of everything that the first visit loads, compressed. */
const MAX_FIRST_LOAD = 120 * 1024;
/** Bytes of what a screen adds, compressed. */
const MAX_SCREEN = 20 * 1024;

const page = builtText('index.html');
const linked = [...page.matchAll(/(?:href|src)="\/console\/([^"]+)"/g)].map(([, file = '']) => file);

describe('the built console', () => {
  it('loads at most 120 KB on the first visit', () => {
    const bytes = ['index.html', ...linked].map(loadedBytes).reduce((sum, one) => sum + one, 0);
    expect(bytes).toBeLessThanOrEqual(MAX_FIRST_LOAD);
  });

  it('loads at most 20 KB more for a screen', () => {
    const later = assets().filter((name) => name.endsWith('.js') && !linked.includes(`assets/${name}`));
    expect(later.length).toBeGreaterThan(0);
    for (const name of later) {
      expect([name, loadedBytes(`assets/${name}`) <= MAX_SCREEN]).toEqual([name, true]);
    }
  });

  it('names one script and one style sheet, which exist', () => {
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page.match(/rel="stylesheet"/g)).toHaveLength(1);
    expect(assets().map((name) => `assets/${name}`)).toEqual(expect.arrayContaining(linked));
  });

  it('has no inline script, style, handler or address elsewhere', () => {
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|https?:/);
    expect(page).toMatch(/<script type="module" src="[^"]+"><\/script>/);
    for (const file of sourcesOf('.tsx')) expect([file, /\sstyle=\{/.test(sourceText(file))]).toEqual([file, false]);
  });

  it('names every file by its content', () => {
    for (const name of assets()) expect(name).toMatch(/^[a-z-]+-[A-Z0-9]{8}\.(?:js|css|woff2|svg)$/);
  });
});

describe('the styles', () => {
  /** Properties that do not turn around with the direction of writing. */
  const PHYSICAL =
    /^\s*(?:(?:min-|max-)?(?:width|height)|left|right|top|bottom|(?:margin|padding|border|scroll-margin)-(?:left|right|top|bottom)[\w-]*|border-(?:top|bottom)-(?:left|right)-radius|float|clear)\s*:/m;

  it.each(sourcesOf('.css'))('%s has logical properties only', (file) => {
    const css = sourceText(file)
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/@media [^{]*/g, '');
    expect(PHYSICAL.exec(css)?.[0]).toBeUndefined();
    expect(css).not.toMatch(/text-align:\s*(?:left|right)/);
  });

  it('has the same dark theme for a device and for a person who has chosen it', () => {
    const tokens = sourceText('styles/tokens.css');
    const declarations = (start: string): string[] => {
      const from = tokens.indexOf('{', tokens.indexOf(start)) + 1;
      return tokens
        .slice(from, tokens.indexOf('}', from))
        .split(';')
        .map((line) => line.trim());
    };
    expect(declarations(':root[data-theme="dark"]')).toEqual(declarations(':root:not([data-theme="light"])'));
  });

  it('uses only sheets that the page loads', () => {
    const imported = [...sourceText('styles/main.css').matchAll(/@import url\("(.*?)"\)/g)].map(([, file = '']) =>
      file.startsWith('../') ? file.slice(3) : `styles/${file.slice(2)}`,
    );
    expect(sourcesOf('.css').sort()).toEqual([...imported, 'styles/main.css'].sort());
  });
});
