export { type LagMeasurement, measureEventLoopLag } from './measure-event-loop-lag.ts';
export { stopwatch } from './wait-for-processor.ts';
