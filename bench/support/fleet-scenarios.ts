/** A group of phones that each send one campaign at the same time. */
export interface Cohort {
  readonly name: string;
  /** The phones are spread over this many tenants. */
  readonly tenants: number;
  readonly phones: number;
  /** Messages per second of each phone. */
  readonly throughput: number;
  /** Recipients of each campaign. */
  readonly recipients: number;
  /** How long the network takes to respond, in milliseconds. */
  readonly responseDelayMs: number;
}

export const SCENARIOS = ['many', 'tiny', 'few', 'two-workers', 'fast', 'slow-neighbour'] as const;

export type Scenario = (typeof SCENARIOS)[number];

export const isScenario = (name: string): name is Scenario => SCENARIOS.includes(name as Scenario);

/** @param scale below 1 for fewer phones or, in scenarios with few phones, fewer recipients */
export function cohortsOf(scenario: Scenario, scale: number): readonly Cohort[] {
  const scaled = (count: number): number => Math.max(1, Math.round(count * scale));
  switch (scenario) {
    case 'many':
      return [cohort({ tenants: scaled(200), phones: scaled(200), throughput: 20, recipients: 100 })];
    case 'tiny':
      return [cohort({ tenants: scaled(200), phones: scaled(2000), throughput: 2, recipients: 10 })];
    case 'few':
      return [cohort({ tenants: 8, phones: 8, throughput: 80, recipients: scaled(400) })];
    case 'two-workers':
      return [cohort({ tenants: 1, phones: 1, throughput: 200, recipients: scaled(2000) })];
    case 'fast':
      return [cohort({ tenants: 1, phones: 1, throughput: 1000, recipients: scaled(10_000), responseDelayMs: 100 })];
    case 'slow-neighbour':
      // The slow ones send first.
      return [
        cohort({
          name: 'slow',
          tenants: 1,
          phones: 50,
          throughput: 80,
          recipients: scaled(100),
          responseDelayMs: 5000,
        }),
        cohort({ name: 'neighbours', tenants: 20, phones: 20, throughput: 80, recipients: 20 }),
      ];
  }
}

const cohort = (
  given: Omit<Cohort, 'name' | 'responseDelayMs'> & Partial<Pick<Cohort, 'name' | 'responseDelayMs'>>,
): Cohort => ({ name: 'phones', responseDelayMs: 0, ...given });
