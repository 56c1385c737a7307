import { type DynamicModule, Module } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { BusinessPhonesController } from './business-phones.controller.js';
import { PhoneFactsSweep } from './phone-facts.sweep.js';

/** Lists business phones over HTTP and looks them up on the network. accounts/ owns them, below authentication. */
@Module({})
export class BusinessPhonesModule {
  static register({ roles }: Environment): DynamicModule {
    return {
      module: BusinessPhonesModule,
      controllers: roles.has('api') ? [BusinessPhonesController] : [],
      providers: roles.has('worker') ? [PhoneFactsSweep] : [],
    };
  }
}
