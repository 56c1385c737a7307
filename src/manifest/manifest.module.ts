import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Manifest } from './manifest.js';

/** Makes the manifest injectable. */
@Global()
@Module({})
export class ManifestModule {
  static register(manifest: Manifest): DynamicModule {
    return { module: ManifestModule, providers: [{ provide: Manifest, useValue: manifest }], exports: [Manifest] };
  }
}
