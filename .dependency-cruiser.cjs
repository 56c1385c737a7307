// The import order of docs/architecture.md: a room imports only from itself and from lower floors, never from another
// room of its own floor or from a higher floor.
const FLOORS = [
  ['values'],
  ['errors'],
  ['config', 'runtime'],
  ['manifest'],
  ['database', 'tracing'],
  ['hooks'],
  ['queues', 'egress', 'network', 'http'],
  ['outbox', 'counters'],
  ['accounts'],
  ['auth'],
  ['rate-limit', 'idempotency'],
  ['audit'],
  ['consent'],
  ['people'],
  ['contacts', 'agents', 'api-keys', 'business-phones', 'media', 'webhooks'],
  ['groups', 'templates', 'conversations', 'saved-replies', 'sessions'],
  ['messages'],
  ['sending'],
  ['reports'],
  ['campaigns'],
  ['connect', 'inbound', 'upkeep', 'personal-data', 'live'],
];
const ROOMS = FLOORS.flat();
// Above all floors: the files directly in src/, and the rooms used only by them.
const ROOTS = ['api-description', 'cli', 'console', 'health', 'logging'];

const room = (names) => `^src/(?:${names.join('|')})/`;

// The floors inside rooms, from the bottom: subfolders, and single files at the top of the room. Below them are the other
// files at the top (entities, errors, events, statements); above them, also at the top, is what leads through them.
const SUBFLOORS = {
  database: [
    'sql',
    'connections',
    'batching',
    'schema',
    'unit-of-work',
    'secrets',
    'configuration-changes',
    'database-metrics',
  ],
  contacts: ['erasure', 'files'],
  templates: ['rendering', 'sync', 'authoring', 'looks', 'review'],
  webhooks: ['endpoints', 'delivery', 'log'],
  messages: ['outcomes', 'history'],
  sending: ['slots', 'judge', 'attempts', 'ledger', 'outcome-recorder', 'single'],
  campaigns: ['authoring', 'planning', 'control', 'run', 'progress'],
};
const ABOVE_FLOORS = '(?:service|processor|sweep|controller|module)';

const subfloor = (name, floor) => `^src/${name}/${floor}(?:/|\\.ts$)`;
const groundOf = (name, floors) =>
  `^src/${name}/(?!(?:${floors.join('|')})\\.ts$)(?![^/]*\\.${ABOVE_FLOORS}\\.ts$)[^/]+$`;

const subfloorRules = Object.entries(SUBFLOORS).flatMap(([name, floors]) => {
  const ground = groundOf(name, floors);
  return [null, ...floors].map((floor, index) => ({
    name: `floor-of-${name}/${floor ?? ''}`,
    comment: `Inside ${name}/, this imports only the files that all of it uses, and: ${floors.slice(0, index).join(', ') || 'nothing'}`,
    severity: 'error',
    from: { path: floor === null ? ground : subfloor(name, floor) },
    to: {
      path: `^src/${name}/`,
      // dto-is-the-border says who may import dto/.
      pathNot: [ground, ...floors.slice(0, index).map((below) => subfloor(name, below)), `^src/${name}/dto/`],
    },
  }));
});

// `npm run check` links the extensions into such a folder, each under its name.
const EXTENSION = '^\\.parley-extensions-\\d+/([^/]+)/';

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
    ...subfloorRules,
    {
      name: 'dto-is-the-border',
      comment:
        'Shapes of requests and responses are for controllers, topics of the stream and pipes; nothing else knows the wire.',
      severity: 'error',
      from: { path: room(ROOMS), pathNot: ['/dto/', '\\.(?:controller|pipe|topic|spec|fixture)\\.ts$'] },
      to: { path: '/dto/' },
    },
    {
      name: 'named-subfolders-only',
      comment: 'Give a new subfolder of a room a floor, here and in docs/architecture.md.',
      severity: 'error',
      from: {},
      to: {
        path: '^src/[^/]+/[^/]+/',
        pathNot: [
          '^src/[^/]+/dto/',
          ...Object.entries(SUBFLOORS).flatMap(([name, floors]) => floors.map((floor) => subfloor(name, floor))),
        ],
      },
    },
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
      name: 'console-stands-alone',
      comment: 'The console runs in a browser and knows Parley by its client; of the service it has only values/.',
      severity: 'error',
      from: { path: '^console/' },
      to: {
        path: '^(?:src|simulator|sandbox|bench|migrations|test|scripts|clients|extensions|examples)/',
        pathNot: ['^clients/typescript/src/', room(['values'])],
      },
    },
    {
      name: 'few-packages-reach-the-browser',
      comment: 'Each package is code that every visitor loads, and nothing of Node is there.',
      severity: 'error',
      from: { path: '^console/' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-no-pkg', 'npm-unknown', 'core'],
        pathNot: '(?:^|/)node_modules/(?:preact(?:/hooks)?|@preact/signals|@tanstack/query-core)/(?!compat/)',
      },
    },
    {
      name: 'nobody-uses-the-console',
      comment: 'The service serves its files; only tests of pure parts import it.',
      severity: 'error',
      from: { path: '^(?:src|simulator|sandbox|bench|migrations|clients)/' },
      to: { path: '^console/' },
    },
    {
      name: 'named-rooms-only',
      comment: 'Give a new room a floor, here and in docs/architecture.md.',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: room([...ROOMS, ...ROOTS]) },
    },
    {
      name: 'extensions-stand-alone',
      comment:
        'An extension imports its own files, `parley`, in its tests `parley/testing`, and packages of package.json.',
      severity: 'error',
      from: { path: EXTENSION },
      to: {
        path: '^(?:src|simulator|sandbox|bench|migrations|test|scripts|clients|\\.parley-extensions-\\d+|\\.\\.)/',
        pathNot: [
          '^\\.parley-extensions-\\d+/$1/',
          '^src/extension-api\\.ts$',
          '^test/support/extension-testing\\.ts$',
        ],
      },
    },
    {
      name: 'only-tests-of-extensions-use-parley-testing',
      severity: 'error',
      from: { path: EXTENSION, pathNot: `${EXTENSION}tests/` },
      to: { path: '^test/' },
    },
    {
      name: 'nobody-uses-extensions',
      comment: 'Parley knows its extensions by their manifests; the build lists them in src/extensions.ts.',
      severity: 'error',
      from: { path: '^(?:src|simulator|sandbox|bench|migrations|test)/' },
      to: { path: ['^extensions/', '^examples/', EXTENSION] },
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
      from: { path: ['^(?:src|simulator|sandbox|clients|console)/', EXTENSION] },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-dev-packages-in-production',
      severity: 'error',
      from: {
        path: ['^(?:src|simulator|sandbox|migrations|clients|console)/', EXTENSION],
        pathNot: ['\\.spec\\.ts$', `${EXTENSION}tests/`],
      },
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
    // Extensions are linked, and would not find packages from where they are.
    preserveSymlinks: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
