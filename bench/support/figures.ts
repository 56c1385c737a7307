export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which a `share` (0 to 1) of all values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Prints one line of results. */
export function show(name: string, figures: Readonly<Record<string, string | number>>): void {
  const text = Object.entries(figures)
    .map(([figure, value]) => `${figure} ${typeof value === 'number' ? value.toLocaleString('en-US') : value}`)
    .join(', ');
  console.log(`  ${name.padEnd(28)} ${text}`);
}
