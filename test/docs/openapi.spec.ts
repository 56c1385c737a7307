import { Controller, Get } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { RouteInventory } from '../../src/auth/route-inventory.js';
import { Public, RequiresScope } from '../../src/auth/scopes.js';
import { ApiClient } from '../support/api-client.js';
import { World } from '../support/world.js';

interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Record<string, unknown>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: unknown;
  readonly responses?: Readonly<Record<string, { readonly content?: unknown }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly security?: readonly Record<string, unknown>[];
  readonly components: { readonly securitySchemes: Readonly<Record<string, unknown>> };
}

const withoutSlash = (path: string): string => path.replace(/(.)\/$/, '$1');

describe('/openapi.json', () => {
  let world: World;
  let description: Description;
  let routes: { name: string; public: boolean; operation: Operation | undefined }[];

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    description = (await new ApiClient(world.baseUrl, null).get<Description>('/openapi.json')).body;
    const paths = new Map(
      Object.entries(description.paths).map(([path, operations]) => [withoutSlash(path), operations]),
    );
    routes = world.parley.app.get(RouteInventory).routes.map(({ method, path, access }) => ({
      name: `${method} ${path}`,
      public: access.kind === 'public',
      operation: paths.get(withoutSlash(path.replace(/:(\w+)/g, '{$1}')))?.[method.toLowerCase()],
    }));
  });
  afterAll(() => world.stop());

  const namesOf = (wrong: (route: { name: string; public: boolean; operation: Operation | undefined }) => boolean) =>
    routes.filter(wrong).map(({ name }) => name);

  it('describes exactly the existing routes', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(namesOf(({ operation }) => operation === undefined)).toEqual([]);
    expect(Object.values(description.paths).flatMap(Object.keys)).toHaveLength(routes.length);
  });

  it('gives every route a summary and a tag', () => {
    expect(namesOf(({ operation }) => !operation?.summary)).toEqual([]);
    expect(namesOf(({ operation }) => !operation?.tags?.length)).toEqual([]);
  });

  it('documents the response of each route', () => {
    const silent = namesOf(({ name, operation }) => {
      const succeeding = Object.entries(operation?.responses ?? {}).filter(([status]) => status.startsWith('2'));
      return name.includes('/api/v1/') && !succeeding.some(([, { content }]) => content !== undefined);
    });
    expect(silent).toEqual([]);
  });

  it('names every path parameter', () => {
    const unnamed = namesOf(({ name, operation }) => {
      const inPath = [...name.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter).sort();
      const described = (operation?.parameters ?? []).filter((one) => one.in === 'path').map((one) => one.name);
      return inPath.join() !== described.sort().join();
    });
    expect(unnamed).toEqual([]);
  });

  it('requires an API key exactly where one is needed', () => {
    expect(Object.keys(description.components.securitySchemes)).toEqual(['bearer']);
    const demands = ({ operation }: { operation: Operation | undefined }) =>
      (operation?.security ?? description.security ?? []).some((scheme) => 'bearer' in scheme);
    expect(namesOf((route) => !route.public && !demands(route))).toEqual([]);
  });

  it('is also served as a readable page', async () => {
    const page = await new ApiClient(world.baseUrl, null).get('/docs');
    expect(page.status).toBe(200);
    expect(page.text).toContain('swagger-ui');
  });
});

describe('a route', () => {
  @Controller('declared')
  class DeclaredController {
    @Get()
    @RequiresScope('contacts:read')
    read(): void {}

    @Get('open')
    @Public()
    open(): void {}
  }

  @Controller('undeclared')
  class UndeclaredController {
    @Get('secret')
    read(): void {}
  }

  const boot = async (controller: new () => object) => {
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [controller],
      providers: [RouteInventory],
    }).compile();
    await module.init();
    return module;
  };

  it('that declares neither a scope nor public access stops the boot and is named', async () => {
    await expect(boot(UndeclaredController)).rejects.toThrow(
      'UndeclaredController.read (GET /undeclared/secret) declares neither @RequiresScope nor @Public',
    );
  });

  it('that declares one of the two is allowed', async () => {
    const module = await boot(DeclaredController);
    expect(module.get(RouteInventory).routes).toMatchObject([
      { method: 'GET', path: '/declared/', access: { kind: 'scope', scope: 'contacts:read', whileSuspended: true } },
      { method: 'GET', path: '/declared/open', access: { kind: 'public' } },
    ]);
    await module.close();
  });
});
