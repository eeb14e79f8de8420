import type { Schedule } from './schedule.ts';

const constant: Schedule = { name: 'constant', summary: 'stays as it is', reads: [], rate: (_, lr) => lr };

export default constant;
