/** The project's slurm.sh, which starts it on a cluster. */
import type { ProjectSubject } from './subject.ts';

export const slurmText = ({ name }: ProjectSubject): string => `#!/bin/bash
# In the project's folder, on a file system that all nodes share: sbatch slurm.sh
#SBATCH --job-name=${name.replace(/[^a-z0-9-]+/gi, '-').toLowerCase()}
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=2
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --output=%x-%j.out

first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun torchrun --nnodes "$SLURM_JOB_NUM_NODES" --nproc_per_node 2 \\
  --rdzv_id "$SLURM_JOB_ID" --rdzv_backend c10d --rdzv_endpoint "$first:29500" \\
  train.py --data data
`;
