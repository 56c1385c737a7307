// The import order of docs/architecture.md: a room imports only from itself and from lower floors, never from another
// room of its own floor or from a higher floor.
const FLOORS = [
  ['values'],
  ['errors'],
  ['config', 'runtime'],
  ['database', 'tracing'],
  ['queues', 'egress', 'network', 'http'],
  ['outbox', 'counters'],
  ['accounts'],
  ['auth'],
  ['rate-limit', 'idempotency'],
  ['audit'],
  ['contacts', 'agents', 'api-keys', 'business-phones', 'webhooks'],
  ['groups', 'templates', 'conversations'],
  ['messages'],
  ['campaigns'],
  ['inbound', 'upkeep', 'personal-data'],
];
const ROOMS = FLOORS.flat();
// Above all floors: the files directly in src/, and the rooms used only by them.
const ROOTS = ['api-description', 'cli', 'health', 'logging'];

const room = (names) => `^src/(?:${names.join('|')})/`;

const floorRules = FLOORS.flatMap((floor, index) =>
  floor.map((name) => ({
    name: `floor-of-${name}`,
    comment: `${name}/ imports only lower floors: ${FLOORS.slice(0, index).flat().join(', ') || 'none'}`,
    severity: 'error',
    from: { path: room([name]) },
    to: {
      path: '^(?:src|simulator|sandbox|bench|migrations|test)/',
      // database/ lists the migrations explicitly.
      pathNot: [room([name, ...FLOORS.slice(0, index).flat()]), ...(name === 'database' ? ['^migrations/'] : [])],
    },
  })),
);

module.exports = {
  forbidden: [
    ...floorRules,
    {
      name: 'simulator-stands-alone',
      comment: 'The simulator is independent evidence, so it shares no code with the service except values/.',
      severity: 'error',
      from: { path: '^simulator/' },
      to: { path: '^(?:src|sandbox|bench|migrations|test)/', pathNot: room(['values']) },
    },
    {
      name: 'nobody-uses-the-simulator',
      comment: 'The simulator is a separate process; talk to it over HTTP.',
      severity: 'error',
      from: { path: '^(?:src|sandbox)/' },
      to: { path: '^simulator/' },
    },
    {
      name: 'clients-stand-alone',
      comment: 'A client is a package of its own that knows Parley only by docs/openapi.json.',
      severity: 'error',
      from: { path: '^clients/' },
      to: { path: '^(?:src|simulator|sandbox|bench|migrations|test)/' },
    },
    {
      name: 'parley-needs-no-client',
      comment: 'Only what stands outside the service, such as the demo, calls it through a client.',
      severity: 'error',
      from: { path: '^(?:src|simulator|migrations)/' },
      to: { path: '^clients/' },
    },
    {
      name: 'named-rooms-only',
      comment: 'Give a new room a floor, here and in docs/architecture.md.',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: room([...ROOMS, ...ROOTS]) },
    },
    {
      name: 'roots-are-roots',
      comment: 'Programs are never imported; code that they share is in bootstrap.ts.',
      severity: 'error',
      from: { path: room(ROOMS) },
      to: { path: ['^src/[^/]+\\.ts$', '^sandbox/', room(ROOTS)] },
    },
    {
      name: 'opt-in-libraries-are-loaded-late',
      comment:
        'A process that neither traces nor shows the queue board must not pay for their libraries: use import().',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tracing/(?:otlp-|outage-)' },
      to: {
        path: ['^src/tracing/(?:otlp-|outage-)', '(?:^|/)node_modules/(?:@opentelemetry|@bull-board)/'],
        dynamic: false,
      },
    },
    {
      name: 'values-are-pure',
      comment: 'values/ and errors/ use no framework and do no I/O.',
      severity: 'error',
      from: { path: room(['values', 'errors']), pathNot: '\\.spec\\.ts$' },
      to: { path: '(?:^|/)node_modules/(?:@nestjs|typeorm|pg|bullmq|ioredis|undici)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'declared-packages-only',
      comment: 'Every imported package must be listed in package.json.',
      severity: 'error',
      from: { path: '^(?:src|simulator|sandbox|clients)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-dev-packages-in-production',
      severity: 'error',
      from: { path: '^(?:src|simulator|sandbox|migrations|clients)/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Type imports count: they couple rooms as much as calls do.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
