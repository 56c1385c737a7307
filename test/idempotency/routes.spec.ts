import { Controller, Module, Post } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { RouteInventory } from '../../src/auth/route-inventory.js';
import { Public, RequiresScope } from '../../src/auth/scopes.js';
import { Idempotent } from '../../src/idempotency/idempotent.decorator.js';
import { IdempotentRoutes } from '../../src/idempotency/idempotent-routes.js';
import { ManifestModule } from '../../src/manifest/manifest.module.js';
import { MANIFEST } from '../../src/rooms.js';

@Controller('careful')
class Careful {
  @Post()
  @Idempotent({ rerunIsSafe: 'it does nothing' })
  @RequiresScope('contacts:write')
  async above(): Promise<void> {}

  @Post('below')
  @RequiresScope('contacts:write')
  @Idempotent({ rerunIsSafe: 'it does nothing' })
  async below(): Promise<void> {}

  @Post('callbacks')
  @Public()
  async callbacks(): Promise<void> {}
}

@Controller('careless')
class Careless {
  @Post('things')
  @RequiresScope('contacts:write')
  async make(): Promise<void> {}
}

const boot = async (...controllers: (new () => unknown)[]) => {
  @Module({
    imports: [DiscoveryModule, ManifestModule.register(MANIFEST)],
    controllers,
    providers: [RouteInventory, IdempotentRoutes],
  })
  class Routes {}
  const context = await NestFactory.createApplicationContext(Routes, { abortOnError: false, logger: false });
  await context.close();
};

describe('every POST route', () => {
  it('honours an Idempotency-Key, or accepts no API key', async () => {
    await expect(boot(Careful)).resolves.toBeUndefined();
  });

  it('is named and stops the boot when it does not', async () => {
    await expect(boot(Careful, Careless)).rejects.toThrow(
      'Careless.make (POST /careless/things) does not declare @Idempotent',
    );
  });
});
