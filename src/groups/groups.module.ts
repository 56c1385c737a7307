import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { DeletedGroupsSweep } from './deleted-groups.sweep.js';
import { GroupsController } from './groups.controller.js';
import { GroupsService } from './groups.service.js';

/** Named sets of contacts. */
@Global()
@Module({})
export class GroupsModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: GroupsModule,
      controllers: [GroupsController],
      providers: [GroupsService, ...(roles.has('worker') ? [DeletedGroupsSweep] : [])],
      exports: [GroupsService],
    };
  }
}
