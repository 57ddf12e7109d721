// Everything is in one header.
#pragma once
#include "cuda_pipeline_primitives.h"
