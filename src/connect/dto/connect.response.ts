import { ApiProperty } from '@nestjs/swagger';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { BusinessPhoneRecord } from '../../business-phones/dto/business-phone-list.response.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import { CHECK_RESULTS, CHECKS, type Check, type CheckName, type CheckResult, isConnected } from '../check.js';

/** One finding. */
export class CheckField {
  @ApiProperty({ enum: CHECKS, example: 'fields' }) check: CheckName;
  @ApiProperty({
    enum: CHECK_RESULTS,
    description: '`failed` keeps messages or reports from flowing; `unknown` cannot be found out, or not yet',
  })
  result: CheckResult;
  @ApiProperty({ description: 'What was found', example: 'subscribed: messages, account_update' }) found: string;
  @ApiProperty({ type: String, nullable: true, description: 'What is wrong', example: null }) problem: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Where to mend it', example: null }) advice: string | null;

  static from({ check, result, found, problem, advice }: Check): CheckField {
    return { check, result, found, problem, advice };
  }
}

/** The checks of a stored phone. */
export class PhoneHealthResponse extends SuccessResponse {
  @ApiProperty({ description: 'Whether no check has failed', example: true }) connected: boolean;
  @ApiProperty({ type: [CheckField], description: 'In the order in which to mend them' }) checks: CheckField[];

  static from(checks: readonly Check[]): PhoneHealthResponse {
    return { status: 'success', connected: isConnected(checks), checks: checks.map(CheckField.from) };
  }
}

/** Response of connect and of a change of ids. */
export class ConnectPhoneResponse extends SuccessResponse {
  @ApiProperty({ example: 'Business phone connected' }) message: string;
  @ApiProperty({ description: 'Whether it is stored: no check has failed', example: true }) connected: boolean;
  @ApiProperty({ type: BusinessPhoneRecord, nullable: true, description: 'Null if it is not connected' })
  business_phone: BusinessPhoneRecord | null;
  @ApiProperty({ type: [CheckField], description: 'In the order in which to mend them' }) checks: CheckField[];

  static from(phone: BusinessPhone | null, checks: readonly Check[]): ConnectPhoneResponse {
    const failed = checks.filter(({ result }) => result === 'failed').map(({ check }) => check);
    return {
      status: 'success',
      message: phone === null ? `Nothing was stored, because of: ${failed.join(', ')}` : 'Business phone connected',
      connected: phone !== null,
      business_phone: phone === null ? null : BusinessPhoneRecord.from(phone),
      checks: checks.map(CheckField.from),
    };
  }
}

/** Response of a removal. */
export class RemovedPhoneResponse extends SuccessResponse {
  @ApiProperty({ example: 'Business phone removed' }) message: string;
  @ApiProperty({ format: 'uuid' }) waba_phone_id: string;

  static from(waba_phone_id: string): RemovedPhoneResponse {
    return { status: 'success', message: 'Business phone removed', waba_phone_id };
  }
}
