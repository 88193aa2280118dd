/** Runs charts, each on a separate cluster: objects that remain, such as definitions, would affect the next chart. */
import { serveScenarios } from '../harness/serve-scenarios.ts';
import { openEmbeddedTarget } from '../harness/target.ts';
import { chartObservation } from './observe-chart.ts';

serveScenarios({
  open: () => openEmbeddedTarget({ nodes: 3, storage: false, autoscalerPeriodMs: 2_000 }),
  observation: chartObservation,
  scenariosPerLane: 1,
});
