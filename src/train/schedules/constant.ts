import type { Schedule } from './schedule.ts';

const constant: Schedule = { name: 'constant', rate: (_, lr) => lr };

export default constant;
