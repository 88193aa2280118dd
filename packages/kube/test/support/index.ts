export { type LagMeasurement, measureEventLoopLag } from './measure-event-loop-lag.ts';
