import { Room } from '../manifest/room.js';
import { DAY } from '../values/clock.js';
import { HorizonSweep } from './horizon.sweep.js';
import { ParkedReport } from './parked-report.entity.js';
import { ParkedReportsSweep } from './parked-reports.sweep.js';
import { ReportConsequencesService } from './report-consequences.service.js';
import { ReportIntakeService } from './report-intake.service.js';
import { SilenceLook } from './silence-look.entity.js';
import { SilentMessagesSweep } from './silent-messages.sweep.js';
import { UnhandledCallback } from './unhandled-callback.entity.js';

/** The network's reports: whose they are, what they change, and what is done with those that nobody knows. */
@Room({
  entities: [ParkedReport, SilenceLook, UnhandledCallback],
  personalData: { covered: ['parked_reports', 'unhandled_callbacks'] },
  kept: {
    parked_reports: { words: '7 days', ms: 7 * DAY },
    unhandled_callbacks: { words: '30 days', ms: 30 * DAY },
  },
  providers: [ReportConsequencesService, ReportIntakeService],
  worker: [HorizonSweep, ParkedReportsSweep, SilentMessagesSweep],
  exports: [ReportIntakeService],
})
export class ReportsModule {}
