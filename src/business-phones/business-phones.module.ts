import { Module } from '@nestjs/common';
import { BusinessPhonesController } from './business-phones.controller.js';

/** The account's business phones over HTTP; what is known of them lies in accounts/, below authentication. */
@Module({ controllers: [BusinessPhonesController] })
export class BusinessPhonesModule {}
