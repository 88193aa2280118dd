export { type ChartOptions, type RenderedChart, renderChart, templateOutput } from './render-chart.ts';
